"""Real schemas through each real grammar engine, with every legal and illegal instance of theirs.

What each engine does stands in `engine_corpus.json`, beside what it does with the same schemas as they are (`raw`,
measured the same way and kept for comparison). Worse fails; better is written there in the same change.
"""

import json
import os
from pathlib import Path

import pytest
from tests.oracle.engines import Engine
from tests.shared_data import corpus
from tests.wire.engine_tests import asked, every

KNOWN = json.loads(Path(__file__).with_name("engine_corpus.json").read_text(encoding="utf-8"))
STEP = {"outlines": 4, "lm-format-enforcer": 20}  # slow engines are asked about a part of the sample
# The share of illegal instances that an engine accepts where the schemas are sent as they are.
RAW = {"xgrammar": 0.050}
# Of all legal instances fewer than one in a hundred may be refused. lm-format-enforcer ends every list after 20 items.
REFUSED = {"lm-format-enforcer": 0.03}


@pytest.mark.heavy
@pytest.mark.skipif(
    "TOOLGLOT_ENGINES_CORPUS" not in os.environ,
    reason="the corpus is not put to the grammar engines: that takes an hour, set TOOLGLOT_ENGINES_CORPUS to do it",
)
@pytest.mark.parametrize("name", KNOWN)
def test_an_engine_takes_every_wire_and_says_what_is_legal(name):
    engine = Engine(name, seconds=30)
    try:
        found = asked(engine, every(corpus(), STEP.get(name, 1)), name)
    finally:
        engine.close()
    print(name, json.dumps(found))  # noqa: T201 - the figures, with pytest -s
    known = KNOWN[name]["ours"]
    assert set(found["rejected"]) <= set(known["rejected"])
    assert set(found["not_json"]) <= set(known["not_json"])
    assert set(found["legal_refused"]) <= set(known["legal_refused"])
    assert len(found["legal_refused"]) < REFUSED.get(name, 0.01) * found["legal"]
    assert found["illegal_accepted"] <= known["illegal_accepted"]
    assert found["illegal_accepted"] <= RAW.get(name, 1) * found["illegal"]

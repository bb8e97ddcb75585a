"""Real schemas through each real grammar engine, with every legal and illegal instance of theirs.

What each engine does wrong stands by name in `engine_corpus.json`, beside what it does with the same schemas as they
are (`raw`, measured the same way and kept for comparison) and why what is left is left. Worse fails; better is written
there in the same change. A small part of the corpus is asked wherever the engine is; all of it, in an hour, where WHOLE
is set. The figures are printed at the end of the run.
"""

import json
import os
from pathlib import Path

import pytest
from tests.oracle.engines import WHOLE, Engine
from tests.oracle.llama import Llama
from tests.shared_data import corpus
from tests.wire.engine_tests import asked, every, in_words

from toolglot.wire.convert import convert

KNOWN = json.loads(Path(__file__).with_name("engine_corpus.json").read_text(encoding="utf-8"))
STEP = {"outlines": 4, "lm-format-enforcer": 4}  # slow engines are asked about a part even then
PART = 40  # of the schemas that would be asked, one in so many
FAULTS = ("rejected", "not_json", "legal_refused", "illegal_accepted")
# Targets that say the same as another, unless it is seen here, and the engine that reads them.
LIKE = {"vllm/xgrammar": "xgrammar", "lm-studio": "llama.cpp", "ollama/format": "llama.cpp"}

pytestmark = pytest.mark.heavy


def rows(name):
    """The schemas that an engine is asked about in this run."""
    step = STEP.get(name, 1)
    return every(corpus(), step if WHOLE in os.environ else step * PART)


def wire(row, target):
    """The wire of a schema as text."""
    return convert(row["schema"], target).wire_json


@pytest.fixture
def engine(request):
    name = request.param
    started = Llama(seconds=20) if name == "llama.cpp" else Engine(name, seconds=90)
    yield started
    started.close()


@pytest.mark.parametrize(("engine", "name"), [(name, name) for name in KNOWN], indirect=["engine"])
def test_an_engine_takes_every_wire_and_says_what_is_legal(engine, name, record_property):
    found = asked(engine, rows(name), name)
    known = KNOWN[name]
    record_property("engine", in_words(name, found, known["raw"]))
    if WHOLE in os.environ:
        print(name, json.dumps(found))  # noqa: T201 - what the file is written from, with pytest -s
    for fault in FAULTS:
        assert set(found[fault]) <= set(known["ours"][fault]), fault
    assert found["unreported"] == []


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_is_no_worse_than_the_schemas_as_they_are(name):
    ours, both = KNOWN[name]["ours"], KNOWN[name]["where_both_compile"]
    assert ours["rejected"] == []
    assert len(ours["legal_refused"]) < 0.01 * ours["legal"]
    assert both["ours"] <= both["raw"]
    assert {fault for fault in FAULTS if ours[fault]} <= KNOWN[name]["why"].keys()


@pytest.mark.parametrize(("engine", "target"), [(LIKE[target], target) for target in LIKE], indirect=["engine"])
def test_a_target_like_another_says_the_same_or_is_asked_too(engine, target, record_property):
    chosen = list(rows(LIKE[target]))
    different = [row for row in chosen if wire(row, target) != wire(row, LIKE[target])]
    found = asked(engine, different, target)
    said = f"{target}: of {len(chosen)} wires {len(different)} are not those of {LIKE[target]}; of their random texts"
    record_property("engine", f"{said} {found['samples_refused']} of {found['samples']} are refused by the check")
    assert found["rejected"] == found["not_json"] == found["unreported"] == []

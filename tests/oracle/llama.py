"""The real llama.cpp, asked what it makes of a schema: its own converter and grammar engine, no model.

Used where the environment variable TOOLGLOT_LLAMA_ORACLE names the program (`.ci/run` builds it if it can);
elsewhere every test that asks is skipped, and the end of the test run says so.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.worker import Reply, Worker

VARIABLE = "TOOLGLOT_LLAMA_ORACLE"
# A plain chat template: the server finds the form of its calls by rendering some, as it does for any model.
TEMPLATE = """\
{%- if tools %}<|im_start|>system
You may call these functions:
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif -%}
{%- for message in messages %}<|im_start|>{{ message.role }}
{% if message.content %}{{ message.content }}{% endif %}
{%- for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{%- endfor %}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif -%}
"""


def call_text(name: str, arguments: Any) -> str:
    """A whole answer of a model that calls a tool, in the form that TEMPLATE asks for."""
    call = f'{{"name": "{name}", "arguments": {json.dumps(arguments)}}}'
    return f"<|im_start|>assistant\n<tool_call>\n{call}\n</tool_call>"


def missing() -> str | None:
    """Why llama.cpp can't be asked here, or None where it can."""
    named = os.environ.get(VARIABLE)
    if not named:
        return f"llama.cpp is not asked: {VARIABLE} names no program"
    if not os.access(named, os.X_OK):
        return f"llama.cpp is not asked: {VARIABLE} names {named}, which can't be run"
    return None


class Llama:
    """The grammar engine in a worker of its own."""

    def __init__(self, *, seconds: float = 15.0) -> None:
        reason = missing()
        if reason:
            pytest.skip(reason)
        self._program = Path(os.environ[VARIABLE])
        self._engine = Worker([str(self._program)], seconds=seconds)
        self._chat = Worker([str(self._program.with_name("llama_chat_oracle"))], seconds=seconds)

    def ask(self, schema: Any, *, texts: Sequence[str] = (), samples: int = 0, seed: int = 1) -> Reply:
        """What the engine makes of a schema.

        `ok` in the answer says whether it compiles (else `error`), `texts` whether each text matches, and
        `samples` are random texts drawn from the grammar.
        """
        written = schema if isinstance(schema, str) else json.dumps(schema, ensure_ascii=False)
        return self._engine.ask({"schema": written, **_wishes(texts, samples, seed)})

    def ask_tools(self, tools: Iterable[tuple[str, Any]], *, texts: Sequence[str] = (), samples: int = 0) -> Reply:
        """The same for one grammar of many tools, each a name and a schema; a text is a whole call."""
        listed = [{"name": name, "parameters": schema} for name, schema in tools]
        return self._engine.ask({"op": "tools", "tools": listed, **_wishes(texts, samples, 1)})

    def ask_grammar(self, grammar: str, *, texts: Sequence[str] = (), samples: int = 0) -> Reply:
        """The same for a grammar in the engine's own notation."""
        return self._engine.ask({"op": "gbnf", "gbnf": grammar, **_wishes(texts, samples, 1)})

    def grammar_of_request(self, tools: Sequence[Any], template: Path) -> Reply:
        """The grammar that the server would use for a chat request with these tools (`grammar` in the answer).

        The template file is written by the caller, see TEMPLATE.
        """
        return self._chat.ask({"template": str(template), "tools": list(tools), "tool_choice": "required"})

    def close(self) -> None:
        """Ends both programs."""
        self._engine.close()
        self._chat.close()


def _wishes(texts: Sequence[str], samples: int, seed: int) -> dict[str, Any]:
    wishes: dict[str, Any] = {"texts": list(texts)} if texts else {}
    return wishes | ({"n": samples, "seed": seed} if samples else {})

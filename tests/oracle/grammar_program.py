"""One grammar engine in a process of its own: a JSON question on each line, a JSON answer to each.

Run as `python grammar_program.py NAME` by a Python that has the engine. It imports nothing of the project, so that
Python needs nothing else. A question is `{"schema": text, "texts": [text, ...], "n": count, "seed": number}` (n random
texts); the answer says whether the schema compiles (`ok`, else `error`), whether each text matches (`texts`), and gives
texts drawn from the grammar (`samples`; `unfinished` counts those that came to no end).

Every engine is asked byte by byte, or character by character: the finest tokens that a model could have.
"""

from __future__ import annotations

import json
import os
import random
import sys

SOFT, HARD = 200, 1000
CLOSING = '"}]'
KINDS = {**dict.fromkeys('"', "quote"), **dict.fromkeys("}]", "close"), **dict.fromkeys("{[:,\\", "open")}


def kind(letter):
    """The class of a character: a random walk chooses a class first, so that letters don't drown the rest."""
    if letter in KINDS:
        return KINDS[letter]
    if letter in " \t\r\n":
        return "space"
    if letter < " ":
        return "control"
    return "digit" if letter.isdigit() else "letter" if letter.isalnum() else "other"


def chosen(rng, allowed, *, may_end, length):
    """One of the allowed characters, or None for the end."""
    if may_end and (not allowed or length > SOFT or rng.random() < 0.5):
        return None
    if length > SOFT:
        closing = [letter for letter in CLOSING if letter in allowed]
        if closing and rng.random() < 0.9:
            return closing[0]
    groups = {}
    for letter in allowed:
        groups.setdefault(kind(letter), []).append(letter)
    if "space" in groups and len(groups) > 1 and rng.random() < 0.8:
        del groups["space"]
    return rng.choice(groups[rng.choice(sorted(groups))])


def decoded(said):
    """The text of a walk over bytes."""
    return bytes(map(ord, said)).decode("utf-8", "replace")


class LLGuidance:
    """llguidance, with one token for each byte."""

    decode = staticmethod(decoded)

    def __init__(self):
        import llguidance  # noqa: PLC0415 - each engine is imported where it is asked for

        self.module = llguidance
        self.tokens = llguidance.LLTokenizer("byte")

    def compiled(self, schema, _texts):
        matcher = self.module.LLMatcher(
            self.tokens, self.module.LLMatcher.grammar_from_json_schema(schema), log_level=0
        )
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def started(self, grammar):
        return grammar.deep_copy()

    def matches(self, grammar, data):
        matcher = grammar.deep_copy()
        return matcher.try_consume_tokens(list(data)) == len(data) and matcher.is_accepting()

    def allowed(self, state):
        if state.is_error():
            raise ValueError(state.get_error())
        if state.is_stopped():
            return [], True
        mask = state.compute_bitmask()
        return [byte for byte in range(256) if mask[byte >> 3] >> (byte & 7) & 1], state.is_accepting()

    def pushed(self, state, byte):
        return state if state.consume_token(byte) else None


class XGrammar:
    """xgrammar, with one token for each byte, any white space, and objects closed by default as it ships."""

    decode = staticmethod(decoded)

    def __init__(self):
        import xgrammar  # noqa: PLC0415 - as above

        self.module = xgrammar
        vocabulary = [bytes([byte]) for byte in range(256)] + [b"</s>"]
        info = xgrammar.TokenizerInfo(vocabulary, xgrammar.VocabType.RAW, vocab_size=257, stop_token_ids=[256])
        self.compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        self.mask = xgrammar.allocate_token_bitmask(1, 257)

    def compiled(self, schema, _texts):
        return self.compiler.compile_json_schema(schema, any_whitespace=True, strict_mode=True)

    def started(self, grammar):
        return self.module.GrammarMatcher(grammar)

    def _words(self, state):
        self.mask.fill_(-1)
        state.fill_next_token_bitmask(self.mask)
        return [int(word) & 0xFFFFFFFF for word in self.mask[0].tolist()]

    def matches(self, grammar, data):
        state = self.started(grammar)
        return state.accept_string(data) and bool(self._words(state)[8] & 1)

    def allowed(self, state):
        words = self._words(state)
        return [byte for byte in range(256) if words[byte >> 5] >> (byte & 31) & 1], bool(words[8] & 1)

    def pushed(self, state, byte):
        return state if state.accept_token(byte) else None


class Outlines:
    """outlines-core: its regular expression of the schema, and its index over one token for each character.

    Not for each byte: with tokens that end inside a character, the index of a text of bounded length takes exponential
    time.
    """

    def __init__(self):
        import outlines_core  # noqa: PLC0415 - as above
        from outlines_core.json_schema import build_regex_from_schema  # noqa: PLC0415 - as above

        self.regex, self.module = build_regex_from_schema, outlines_core

    def compiled(self, schema, texts):
        letters = sorted({*map(chr, range(128)), *"é中😀", *schema, *"".join(texts)})
        tokens = {letter: number for number, letter in enumerate(letters) if not 0xD800 <= ord(letter) < 0xE000}
        vocabulary = self.module.Vocabulary(
            len(letters), {letter.encode(): [number] for letter, number in tokens.items()}
        )
        index = self.module.Index(self.regex(schema), vocabulary)
        return index, index.get_transitions(), tokens, {number: letter for letter, number in tokens.items()}

    def started(self, grammar):
        return (*grammar, grammar[0].get_initial_state())

    def matches(self, grammar, data):
        state = self.started(grammar)
        for letter in data.decode():
            state = self.pushed(state, ord(letter))
            if state is None:
                return False
        return state[0].is_final_state(state[-1])

    def allowed(self, state):
        index, transitions, _, letters, at = state
        return [ord(letters[token]) for token in transitions.get(at, {}) if token in letters], index.is_final_state(at)

    def pushed(self, state, code):
        *grammar, at = state
        to = grammar[1].get(at, {}).get(grammar[2].get(chr(code)))
        return None if to is None else (*grammar, to)


class FormatEnforcer:
    """lm-format-enforcer, character by character, as it is set up by default."""

    def __init__(self):
        from lmformatenforcer import CharacterLevelParserConfig, JsonSchemaParser  # noqa: PLC0415 - as above
        from lmformatenforcer.consts import COMPLETE_ALPHABET  # noqa: PLC0415 - as above

        self.config, self.parser, self.alphabet = CharacterLevelParserConfig, JsonSchemaParser, COMPLETE_ALPHABET

    def compiled(self, schema, _texts):
        grammar = json.loads(schema)
        self._parser(grammar, "")
        return grammar

    def _parser(self, grammar, text):
        # a tokenizer's alphabet has every character that a model can say
        alphabet = self.alphabet + "".join(sorted(set(text) - set(self.alphabet)))
        return self.parser(grammar, config=self.config(alphabet=alphabet))

    def started(self, grammar):
        return self._parser(grammar, "")

    def matches(self, grammar, data):
        text = data.decode()
        state = self._parser(grammar, text)
        for letter in text:
            if letter not in state.get_allowed_characters():
                return False
            state = state.add_character(letter)
        return state.can_end()

    def allowed(self, state):
        return [
            ord(letter) for letter in sorted(set(state.get_allowed_characters())) if letter < "\x80"
        ], state.can_end()

    def pushed(self, state, byte):
        return state.add_character(chr(byte))


ENGINES = {
    "llguidance": LLGuidance,
    "xgrammar": XGrammar,
    "outlines": Outlines,
    "lm-format-enforcer": FormatEnforcer,
}


def walked(engine, grammar, rng):
    """A random text of the grammar, or None where it came to no end."""
    state, said, decode = engine.started(grammar), [], getattr(engine, "decode", "".join)
    while len(said) <= HARD:
        allowed, may_end = engine.allowed(state)
        if not allowed and not may_end:
            return None
        letter = chosen(rng, [chr(byte) for byte in allowed], may_end=may_end, length=len(said))
        if letter is None:
            return decode(said)
        state = engine.pushed(state, ord(letter))
        if state is None:
            return None
        said.append(letter)
    return None


def answer(engine, question):
    """What the engine makes of one question. What fails only when a text is read counts as a failure of the schema."""
    try:
        return answered(engine, question)
    except BaseException as error:  # noqa: BLE001 - an engine's panic is no Exception, and an answer all the same
        return {"ok": False, "error": f"{type(error).__name__}: {error}"[:1500]}


def answered(engine, question):
    """The answer where nothing fails."""
    grammar = engine.compiled(question["schema"], question.get("texts", ()))
    matched = [engine.matches(grammar, text.encode()) for text in question.get("texts", ())]
    rng = random.Random(question.get("seed", 1))
    walks = [walked(engine, grammar, rng) for _ in range(question.get("n", 0))]
    samples = [walk for walk in walks if walk is not None]
    return {"ok": True, "texts": matched, "samples": samples, "unfinished": len(walks) - len(samples)}


def main(name):
    """Answers until the questions end. What an engine prints goes elsewhere than the answers."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    engine = ENGINES[name]()
    for line in sys.stdin:
        answers.write(json.dumps(answer(engine, json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])

"""Functions that call themselves, run with a stack of their own: no depth of a schema or a value overflows it.

Such a function is a generator. It yields each call that it makes, is sent what that call returns, and returns its
own answer.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

MOST = 100_000

Answer = TypeVar("Answer")
# What it yields are calls of any answer, and it is sent that answer.
Call: TypeAlias = Generator[Any, Any, Answer]


def unwound(call: Call[Answer]) -> Answer:
    """The answer of a call, and of all that it calls; what one of them raises ends them all.

    Raises:
        RecursionError: a hundred thousand calls wait for each other, so that one of them calls itself for ever.
    """
    waiting: list[Call[Any]] = [call]
    answer: Any = None
    while waiting:
        try:
            inner = waiting[-1].send(answer)
        except StopIteration as done:
            waiting.pop()
            answer = done.value
        else:
            if len(waiting) > MOST:
                raise RecursionError(f"{MOST} calls within each other")
            waiting.append(inner)
            answer = None
    found: Answer = answer
    return found

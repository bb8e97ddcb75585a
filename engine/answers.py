"""What became of a call, and of each call of a message."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolglot.calls.readings import Reading
from toolglot.errors import MessageError, Path, Problem
from toolglot.json_values import Json
from toolglot.tables.messages import MessageForm
from toolglot.wire.messages import SentCall, reply_to


@dataclass(slots=True)
class Answer:
    """What became of a call; a fresh one for each, its reader's own.

    Attributes:
        arguments: what the tool gets, in its own form; None where the call is refused.
        problems: everything that is wrong with the call; empty where it fits.
        refusal: the text for the model, or None where the call fits.
        readings: each near miss that was read as the schema wants it; empty unless the toolbox allows readings.
    """

    arguments: Json
    problems: tuple[Problem, ...] = ()
    refusal: str | None = None
    readings: tuple[Reading, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether the call may run."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a message, read.

    Attributes:
        name: the tool's own name, whatever name it has in the request; the empty text where none is named.
        answer: what became of the call.
        sent: the call as it stood in the message.
        form: how calls stand in such messages.
    """

    name: str
    answer: Answer
    sent: SentCall = field(repr=False)
    form: MessageForm = field(repr=False)

    @property
    def id(self) -> str | int | None:
        """What ties a result to this call; None where the provider gives none."""
        return self.sent.id

    @property
    def path(self) -> Path:
        """Where in the message the call stands."""
        return self.sent.path

    def reply(self, content: Json = None, *, failed: bool | None = None) -> Json:
        """What is sent back for this call, in the provider's form and with its id: a message, a block or an item.

        Args:
            content: a text, or blocks as the provider takes them; the refusal where it is left out.
            failed: whether it is told as a failure, where the form can tell; so it is for a call that was refused.

        Raises:
            MessageError: there is nothing to say, or nothing of that kind in this form.
        """
        if content is None:
            content = self.answer.refusal
        if content is None:
            raise MessageError(f"the call of `{self.name}` fits: wanted what the tool gave, got nothing")
        return reply_to(self.form, self.sent, content, failed=not self.answer.fits if failed is None else failed)

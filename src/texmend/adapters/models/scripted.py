"""A model that gives written answers in order: for tests of the loop, and for trying texmend without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from texmend.model.errors import ModelUnavailable
from texmend.ports import ModelAnswer, ModelRequest
from texmend.tex.tokencount import rough_tokens

Scripted = str | ModelAnswer | ModelUnavailable
"""What comes next: a text (finished properly, tokens estimated), a whole answer, or the model going away."""


@dataclass
class ScriptedModel:
    """Gives `answers` in order and keeps what it was asked; when they are used up it is unavailable."""

    answers: Sequence[Scripted]
    label: str = "scripted"
    asked: list[ModelRequest] = field(default_factory=list)
    rewrites: bool = False

    @property
    def name(self) -> str:
        return self.label

    def ask(self, request: ModelRequest) -> ModelAnswer:
        """The next answer.

        Raises:
            ModelUnavailable: the script says so, or it has no answer left.
        """
        turn = len(self.asked)
        self.asked.append(request)
        if turn >= len(self.answers):
            raise ModelUnavailable(f"{self.label}: no answer is left in the script")
        match self.answers[turn]:
            case ModelUnavailable() as gone:
                raise gone
            case ModelAnswer() as answer:
                return answer
            case text:
                read = rough_tokens(request.system) + rough_tokens(request.prompt)
                return ModelAnswer(text, read, rough_tokens(text), "stop", 0.0)

    def close(self) -> None:
        """Nothing was started."""

"""Asks a language model to rewrite or edit the failing part: the last and only paid repairer (DESIGN section 3.5).

It asks and reads; whether the answer is compiled, kept, or ends the session is the loop's matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from texmend.model import events
from texmend.model.compile import CompileResult
from texmend.model.document import Document
from texmend.model.errors import ModelUnavailable
from texmend.model.outcome import StopReason
from texmend.model.repair import FailedAnswer, Patch, PatchMismatch, Situation, SourceRepair, apply, rewrite_patch
from texmend.ports import ModelAnswer, ModelClient, ModelRequest
from texmend.repair.answers import Unusable, read_parts
from texmend.repair.blocks import Unclear
from texmend.repair.context import PROMPT_TOKENS, Prompt, Question, ask_again, build_prompt
from texmend.repair.parts import Part
from texmend.repair.view import first_cause
from texmend.tex.tokencount import rough_tokens

FRESH_START = 3
"""The round that starts again from the text before the model's first change."""
THINKING_TOKENS = 4_096
"""Room in an answer for what a reasoning model thinks before it writes."""
LEAST_SECONDS = 2.0
"""With less than this after the time of one build, no question is asked."""


@dataclass(frozen=True)
class ByModel:
    """The model's repairer."""

    client: ModelClient
    listen: events.Listener = events.ignore
    rules: tuple[str, ...] = ()
    """Hard rules of the document's template, added to the standing ones."""
    strategy: str = "auto"
    """"rewrite", "edits", or "auto": as fits the file, and otherwise after an answer that could not be used."""
    prompt_tokens: int = PROMPT_TOKENS
    thinking_tokens: int = THINKING_TOKENS

    def propose(self, situation: Situation) -> SourceRepair | FailedAnswer | StopReason | None:
        """What the model makes of the best draft, or of the text before its own changes in the third round.

        A repair may lead to a text that was tried: it was paid for, and the loop judges that. None: no part of the failing
        file is small enough to ask about. `token_cap`, `wall_clock`: too little is left for a question.

        Raises:
            ModelUnavailable: the model could not be asked.
        """
        base, result = _base(situation)
        question = Question(base, result, situation.attempts, _known(situation), self.rules, self.strategy)
        left = situation.tokens_left
        prompt = build_prompt(question, self.prompt_tokens if left is None else min(self.prompt_tokens, left))
        if prompt is None or not _affordable(prompt, left):
            return StopReason.TOKEN_CAP if left is not None and left < self.prompt_tokens else None
        # The answer must still be compiled: about as long as the failed build took.
        seconds = situation.seconds_left - max(result.seconds, 0.0)
        if seconds < LEAST_SECONDS:
            return StopReason.WALL_CLOCK
        n = situation.model_rounds + 1
        answer = self._ask(prompt, n, left, seconds)
        read = _read(answer, prompt)
        if isinstance(read, Unclear):
            answer, read = self._once_more(answer, ask_again(prompt, answer.text, read.why), n, left, seconds) or (answer, read)
        if isinstance(read, Unclear | Unusable):
            return self._failed(answer, read.why, isinstance(read, Unusable) and read.unchanged)
        return self._repair(answer, read, prompt, situation, base, result)

    def _once_more(
        self, first: ModelAnswer, prompt: Prompt, n: int, left: int | None, seconds: float
    ) -> tuple[ModelAnswer, Mapping[Part, str] | Unusable | Unclear] | None:
        """The second answer of a round, with the cost of both, and what it says; None: too little is left to ask for it."""
        left = left if left is None else left - first.input_tokens - first.output_tokens
        seconds -= first.seconds
        if seconds < LEAST_SECONDS or prompt.tokens > self.prompt_tokens or not _affordable(prompt, left):
            return None
        second = self._ask(prompt, n, left, seconds)
        both = replace(
            second,
            input_tokens=first.input_tokens + second.input_tokens,
            output_tokens=first.output_tokens + second.output_tokens,
            seconds=first.seconds + second.seconds,
        )
        return both, _read(second, prompt)

    def _ask(self, prompt: Prompt, n: int, left: int | None, seconds: float) -> ModelAnswer:
        cap = _output_tokens(prompt) + self.thinking_tokens
        cap = cap if left is None else min(cap, left - prompt.tokens)
        self.listen(events.ModelAsked(self.client.name, n, prompt.tokens, prompt.version))
        try:
            answer = self.client.ask(ModelRequest(prompt.system, prompt.prompt, cap, seconds))
        except ModelUnavailable as e:
            self.listen(events.ModelAnswered(self.client.name, 0, 0, 0.0, f"error: {e}"))
            raise
        spent = (answer.input_tokens, answer.output_tokens, answer.seconds)
        self.listen(events.ModelAnswered(self.client.name, *spent, answer.finish, answer.cost))
        return answer

    def _repair(
        self,
        answer: ModelAnswer,
        texts: Mapping[Part, str],
        prompt: Prompt,
        situation: Situation,
        base: Document,
        result: CompileResult,
    ) -> SourceRepair | FailedAnswer:
        after = prompt.view.put_back(base, texts)
        if isinstance(after, str):
            return self._failed(answer, after)
        if after.digest == base.digest:
            return self._failed(answer, "the answer is the text as it was", unchanged=True)
        error = first_cause(result)
        fault = " ".join(error.message.split())[:120] if error else "no finished PDF"
        why = f"{self.client.name} rewrote {' and '.join(map(_named, texts))} to mend: {fault}"
        patch = _patch_to(situation.draft.document, after)
        return SourceRepair(self._by, why, patch, input_tokens=answer.input_tokens, output_tokens=answer.output_tokens)

    @property
    def _by(self) -> str:
        return f"model:{self.client.name}"

    def _failed(self, answer: ModelAnswer, why: str, unchanged: bool = False) -> FailedAnswer:
        return FailedAnswer(self._by, why, answer.input_tokens, answer.output_tokens, answer.seconds, unchanged)


def _read(answer: ModelAnswer, prompt: Prompt) -> Mapping[Part, str] | Unusable | Unclear:
    return read_parts(answer.text, answer.finish, prompt.view.main, prompt.view.others)


def _named(part: Part) -> str:
    return part.path if part.whole else f"lines {part.first} to {part.last} of {part.path}"


def _affordable(prompt: Prompt, left: int | None) -> bool:
    """Whether the question and a full answer fit into what is left of the tokens."""
    return left is None or left >= prompt.tokens + _output_tokens(prompt)


def _output_tokens(prompt: Prompt) -> int:
    """What an answer may cost beside thinking: the part again, and half of it and a little more for what is put in."""
    return rough_tokens(prompt.view.main.text) * 3 // 2 + 512


def _base(situation: Situation) -> tuple[Document, CompileResult]:
    """What the model is asked about: the best draft; in the third round the text before the model's first change.

    That text keeps what rules and search mended, as the compiler said that it helped. Its build must be known.
    """
    draft = situation.draft
    if situation.model_rounds != FRESH_START - 1:
        return draft.document, draft.result
    document = draft.original
    try:
        for repair in draft.repairs:
            if repair.by.startswith("model:"):
                break
            document = apply(repair, document)
    except PatchMismatch:
        return draft.document, draft.result
    results = [a.result for a in situation.attempts if a.result] + ([situation.first] if situation.first else [])
    found = next((r for r in results if r.document.digest == document.digest), None)
    return (document, found) if found else (draft.document, draft.result)


def _known(situation: Situation) -> tuple[Document, ...]:
    """Every document that was built."""
    built = [a.result.document for a in situation.attempts if a.result]
    return (situation.draft.original, *built, situation.draft.document)


def _patch_to(before: Document, after: Document) -> Patch:
    """The patch that turns one document into another."""
    changed = [s for s in after.sources if before.text(s.path) != s.text]
    return Patch(tuple(f for s in changed for f in rewrite_patch(before, s.path, s.text).files))

"""Asks a language model to rewrite the failing part: the last and only paid repairer (DESIGN section 3.5).

It asks and reads; whether the answer is compiled, kept, or ends the session is the loop's matter.
"""

from __future__ import annotations

from dataclasses import dataclass

from texmend.model import events
from texmend.model.compile import CompileResult
from texmend.model.document import Document
from texmend.model.errors import ModelUnavailable
from texmend.model.outcome import StopReason
from texmend.model.repair import FailedAnswer, Patch, PatchMismatch, Situation, SourceRepair, apply, rewrite_patch
from texmend.ports import ModelAnswer, ModelClient, ModelRequest
from texmend.repair.answers import Unusable, read_answer
from texmend.repair.context import PROMPT_TOKENS, Prompt, Question, build_prompt, first_cause
from texmend.repair.parts import splice
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
        known = _known(situation)
        question = Question(base, result, tuple(a for a in situation.attempts if a.by_model), known, self.rules)
        left = situation.tokens_left
        prompt = build_prompt(question, self.prompt_tokens if left is None else min(self.prompt_tokens, left))
        if prompt is None or (left is not None and left < prompt.tokens + _output_tokens(prompt)):
            return StopReason.TOKEN_CAP if left is not None and left < self.prompt_tokens else None
        # The answer must still be compiled: about as long as the failed build took.
        seconds = situation.seconds_left - max(result.seconds, 0.0)
        if seconds < LEAST_SECONDS:
            return StopReason.WALL_CLOCK
        answer = self._ask(prompt, situation.model_rounds + 1, left, seconds)
        return self._read(answer, prompt, situation, base, result)

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
        self.listen(events.ModelAnswered(self.client.name, *spent, answer.finish))
        return answer

    def _read(
        self, answer: ModelAnswer, prompt: Prompt, situation: Situation, base: Document, result: CompileResult
    ) -> SourceRepair | FailedAnswer:
        part = prompt.part
        text = read_answer(answer.text, answer.finish, part.text)
        if isinstance(text, Unusable):
            return self._failed(answer, text.why, text.unchanged)
        before = base.text(part.path) or ""
        after = splice(before, part, text)
        if after is None:
            return self._failed(answer, "the answer has characters that the file's encoding does not have")
        if after == before:
            return self._failed(answer, "the answer is the text as it was", unchanged=True)
        patch = _patch_to(situation.draft.document, base.with_texts([(part.path, after)]))
        error = first_cause(result)
        fault = " ".join(error.message.split())[:120] if error else "no finished PDF"
        where = "" if part.whole else f"lines {part.first} to {part.last} of "
        why = f"{self.client.name} rewrote {where}{part.path} to mend: {fault}"
        return SourceRepair(self._by, why, patch, input_tokens=answer.input_tokens, output_tokens=answer.output_tokens)

    @property
    def _by(self) -> str:
        return f"model:{self.client.name}"

    def _failed(self, answer: ModelAnswer, why: str, unchanged: bool = False) -> FailedAnswer:
        return FailedAnswer(self._by, why, answer.input_tokens, answer.output_tokens, answer.seconds, unchanged)


def _output_tokens(prompt: Prompt) -> int:
    """What an answer may cost beside thinking: the part again, and half of it and a little more for what is put in."""
    return rough_tokens(prompt.part.text) * 3 // 2 + 512


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

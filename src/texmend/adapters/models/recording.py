"""Questions and answers kept as files, so that a run can be repeated without a model, a network or a key.

A pair is found by the hash of what was asked (model, system, prompt, cap on the answer): the same document, texmend and
settings ask the same. Nothing else is in it: no key, no address.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from texmend.adapters.atomic import write_atomic
from texmend.model.errors import ModelUnavailable, NotWritable, UsageError
from texmend.model.outcome import StopReason
from texmend.ports import ModelAnswer, ModelClient, ModelRequest

SCHEMA = 1


def request_key(model: str, request: ModelRequest) -> str:
    """SHA-256 of what is asked; the deadline is no part of it."""
    asked = [SCHEMA, model, request.system, request.prompt, request.max_output_tokens]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def stored(folder: Path, key: str) -> ModelAnswer | None:
    """The answer that a folder has for a question; a file that is none counts as missing."""
    try:
        return ModelAnswer(**json.loads((folder / f"{key}.json").read_text("utf-8"))["answer"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True)
class Recording:
    """A client whose pairs are kept in a folder; a question that the folder knows is not asked again.

    So a run that was broken off goes on where it was, and a failed question is asked anew.
    """

    client: ModelClient
    folder: Path

    @property
    def name(self) -> str:
        return self.client.name

    @property
    def rewrites(self) -> bool:
        return self.client.rewrites

    def ask(self, request: ModelRequest) -> ModelAnswer:
        """As the client's.

        Raises:
            ModelUnavailable: as the client's.
            NotWritable: the pair cannot be kept.
        """
        key = request_key(self.name, request)
        if known := stored(self.folder, key):
            return known
        answer = self.client.ask(request)
        asked = {k: v for k, v in asdict(request).items() if k != "seconds"}
        pair = {"schema": SCHEMA, "model": self.name, "request": asked, "answer": asdict(answer)}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomic(self.folder / f"{key}.json", json.dumps(pair, indent=1).encode())
        except OSError as e:
            raise NotWritable(f"{self.folder} cannot be written ({e.strerror})") from e
        return answer

    def close(self) -> None:
        self.client.close()


@dataclass(frozen=True)
class Replay:
    """A model that knows only the pairs of a folder."""

    model: str
    rewrites: bool
    folder: Path

    @property
    def name(self) -> str:
        return self.model

    def ask(self, request: ModelRequest) -> ModelAnswer:
        """The kept answer, at once.

        Raises:
            ModelUnavailable: the folder has none for this question.
        """
        answer = stored(self.folder, request_key(self.name, request))
        if answer is None:
            raise ModelUnavailable(f"{self.name}: {self.folder} has no answer to this question (recorded by another version?)")
        return answer

    def close(self) -> None:
        """Nothing was started."""


def open_replay(model: str, rewrites: bool, folder: Path) -> Replay:
    """The pairs that a folder has of a model.

    Raises:
        UsageError: there is no such folder.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder of recorded answers", StopReason.BAD_OPTION)
    return Replay(model, rewrites, folder)

"""The model that the settings name, opened for a session: a service over HTTP, or a file on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from texmend.ports import ModelClient
from texmend.settings import Settings


@contextmanager
def opened_model(settings: Settings) -> Iterator[ModelClient | None]:
    """The client of the named model, None if none is named; whatever was started for it has ended afterwards.

    Raises:
        UsageError: the name means no model.
    """
    client = open_client(settings.model) if settings.model and settings.model != "none" else None
    try:
        yield client
    finally:
        if client is not None:
            client.close()


def open_client(name: str) -> ModelClient:
    """The client that a name means; nothing is asked, started or imported yet.

    Raises:
        UsageError: no known service, no model, no address; or no such file.
    """
    from texmend.adapters.models.services import LOCAL

    if name.strip().lower().startswith(f"{LOCAL}:"):
        from texmend.adapters.models.local import open_local

        return open_local(name.strip())
    from texmend.adapters.models.http import open_model

    return open_model(name, os.environ)


def known_as(name: str) -> tuple[str, bool]:
    """What a model is called in recordings, and whether it rewrites; a file on this machine need not be there.

    Raises:
        UsageError: as `open_client`, but for a file.
    """
    from texmend.adapters.models.local import PREFIX, LocalModel

    if name.strip().lower().startswith(PREFIX):
        model = LocalModel(Path(name.strip()[len(PREFIX) :]))
        return model.name, model.rewrites
    client = open_client(name)
    return client.name, client.rewrites


def strategy(client: ModelClient, settings: Settings) -> str:
    """How the model is asked to repair: what the user says, else what suits the model."""
    if settings.strategy == "auto" and client.rewrites:
        return "rewrite"
    return settings.strategy

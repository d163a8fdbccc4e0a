"""What went wrong with a question to a model, in one line without a key, and whether waiting can cure it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from texmend.adapters.models.services import Endpoint

MANY = 10_000
"""Attempts of a fault that time cures: the deadline ends them."""
_TEXT = 160
"""The longest piece of a server's own words that is shown, in characters."""
_SECRETS = re.compile(r"\b(?:sk|pk|key|gsk|xai)-[\w*.-]{3,}|\bAIza[\w-]{8,}|Bearer\s+\S+|(?<=://)[^\s/@]+@", re.IGNORECASE)

_CAP = re.compile(r"max_tokens|max_completion_tokens|context (?:length|size|window)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no answer."""

    text: str
    attempts: int = 1
    """How often the question may be asked in all before this fault is final."""
    wait: float | None = None
    """Seconds that the server asks to wait."""
    cap_too_large: bool = False
    """The cap on the answer does not fit the model; without a cap the server takes its own."""

    def waiting_too_long(self, asked: float | None, seconds: float) -> Fault:
        """This fault where the next attempt would come after the deadline."""
        if asked is None:
            return replace(self, text=f"{self.text}; still so after {seconds:.0f} s")
        return replace(self, text=f"{self.text}; it asks to wait {asked:.0f} s, more than is left of {seconds:.0f} s")


def fault_of(error: Exception, place: Endpoint) -> Fault:
    """The fault that an exception of the library means."""
    from pydantic_ai import exceptions as x

    if isinstance(error, x.ModelRequestTimeout | x.ModelTimeoutError):
        return Fault(f"no answer in time from {place.place}")
    if isinstance(error, x.ModelHTTPError):
        return _of_status(error.status_code, error, place)
    if isinstance(error, x.ModelConnectionError):
        if error.phase == "connect":
            return Fault(f"nothing answers at {place.place} (is the server running?)", attempts=3)
        return Fault(f"the connection to {place.place} broke before the answer was whole", attempts=3)
    # The library reads an answer without looking whether its parts are there.
    if isinstance(error, x.UnexpectedModelBehavior | x.ModelAPIError | LookupError | AttributeError | TypeError):
        return Fault(f"{place.place} did not answer as a chat model does (is the address right?)")
    return Fault(f"{place.place} could not be asked ({type(error).__name__})")


def _of_status(status: int, error: Exception, place: Endpoint) -> Fault:
    from pydantic_ai import exceptions as x

    wait = error.retry_after if isinstance(error, x.ModelAPIError) else None
    said = _said(error.body if isinstance(error, x.ModelAPIError) else None, place)
    if status in (401, 403) or isinstance(error, x.ModelAuthenticationError):
        # Services echo parts of a wrong key here, so their own words are left out.
        return Fault(f"{place.place} refuses the key (HTTP {status})")
    if isinstance(error, x.ModelQuotaExceededError) or status == 402:
        return Fault(f"the quota at {place.place} is used up (HTTP {status}){said}")
    if isinstance(error, x.ModelContextWindowExceededError):
        return Fault(f"the question is too long for the model{said}", cap_too_large=True)
    if status in (400, 422) and _CAP.search(said):
        return Fault(f"{place.place} refuses the question (HTTP {status}){said}", cap_too_large=True)
    if status == 404:
        return Fault(f"no such model or address at {place.place} (HTTP 404){said}")
    if status == 429:
        return Fault(f"rate limit at {place.place} (HTTP 429){said}", MANY, wait)
    if status in (503, 529):
        return Fault(f"{place.place} is not ready (HTTP {status}){said}", MANY, wait)
    if status in (408, 409) or status >= 500:
        return Fault(f"{place.place} failed (HTTP {status}){said}", 3, wait)
    return Fault(f"{place.place} refuses the question (HTTP {status}){said}")


def _said(body: object, place: Endpoint) -> str:
    """The server's own words, after a colon: one line, short, no key; empty if there are none that fit."""
    for _ in range(2):
        if isinstance(body, Mapping):
            body = body.get("error") or body.get("message") or body.get("detail")
    if isinstance(body, Mapping):
        body = body.get("message")
    if not isinstance(body, str) or "<" in body or any(_holds_part(body, secret) for secret in place.secrets):
        return ""
    line = "".join(c if c.isprintable() else " " for c in _SECRETS.sub("[key]", body))
    line = " ".join(line.split())
    return f": {line[:_TEXT].rstrip()}" if line else ""


def _holds_part(text: str, secret: str) -> bool:
    """Whether any eight characters of the secret in a row (or all of a shorter one) are in the text."""
    size = min(len(secret), 8)
    return any(secret[i : i + size] in text for i in range(len(secret) - size + 1))

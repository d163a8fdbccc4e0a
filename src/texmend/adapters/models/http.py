"""Asks a language model over HTTP, through pydantic-ai, which is imported with the first question and not before.

One question has one absolute deadline over all its attempts. A server that is loading (503), a rate limit (429), a server
fault and a broken connection are tried again within it; everything else, and a deadline that is met, is `ModelUnavailable`
with one line that holds no key.
"""

from __future__ import annotations

import asyncio
import importlib.util
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from texmend.adapters.jail.process import obey_stop
from texmend.adapters.models.faults import Fault, fault_of
from texmend.adapters.models.keys import stored_key
from texmend.adapters.models.services import Endpoint, endpoint
from texmend.model.errors import ModelUnavailable
from texmend.ports import ModelAnswer, ModelRequest
from texmend.tex.tokencount import rough_tokens

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model

GRACE = 2.0
"""Seconds after the deadline for the library to give up by itself; then the question is left to its own thread."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 10.0
LEAST_SECRET = 8
"""Characters; a shorter key may be in an answer by chance."""
_TICK = 0.25
"""Seconds between looks at whether the session was stopped."""
"""Seconds between attempts: doubled each time, up to the longest, unless the server says how long."""

_PACKAGES = {"anthropic": "anthropic", "google": "google.genai"}
_EXTRAS = {"anthropic": "texmend[anthropic]", "google": "texmend[google]"}
_FINISH = {"content_filter": "refusal"}


def open_model(name: str, env: Mapping[str, str]) -> HttpModel:
    """A client for "service:model", "service:model@URL" or "model@URL"; nothing is asked or imported yet.

    A missing key or package is told by the first question (`endpoint.lacks` says it before): rules may need no model at all.

    Raises:
        UsageError: the name is not of that form, or its service is not known.
    """
    place = endpoint(name, env)
    if (package := _PACKAGES.get(place.wire)) and not _installed(package):
        place = replace(place, keyring=False, lacks=f'a package is not installed: pip install "{_EXTRAS[place.wire]}"')
    return HttpModel(place)


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ImportError:
        return False


@dataclass(frozen=True, slots=True)
class HttpModel:
    """One model at one endpoint."""

    endpoint: Endpoint

    @property
    def name(self) -> str:
        return self.endpoint.name

    @property
    def rewrites(self) -> bool:
        """`strategy = auto` means `rewrite`."""
        return self.endpoint.rewrites

    def ask(self, request: ModelRequest) -> ModelAnswer:
        """The answer, within `request.seconds`; an empty or cut one is an answer too.

        May be called in any thread, also where an event loop runs: the question has a thread and a loop of its own, so
        that the deadline holds even where the library waits on something that it cannot cancel (a name look-up).

        Raises:
            ModelUnavailable: no answer; the text is one line and holds no key.
            KeyboardInterrupt: the session was stopped meanwhile.
        """
        if self.endpoint.lacks and not self.endpoint.keyring:
            raise ModelUnavailable(f"{self.name}: {self.endpoint.lacks}")
        began = time.monotonic()
        box: queue.SimpleQueue[ModelAnswer | Fault] = queue.SimpleQueue()
        threading.Thread(target=self._answer_into, args=(box, request, began), name="texmend-model", daemon=True).start()
        got = _taken(box, began + max(request.seconds, 0.0) + GRACE) or _late(request.seconds)
        if isinstance(got, Fault):
            raise ModelUnavailable(f"{self.name}: {got.text}")
        return got

    def close(self) -> None:
        """Nothing was started: each question opens and closes its own connection."""

    def _answer_into(self, box: queue.SimpleQueue[ModelAnswer | Fault], request: ModelRequest, began: float) -> None:
        place = self.endpoint
        if place.keyring:
            place = replace(place, key=stored_key(place.service_name))
        if place.keyring and not place.key:
            box.put(Fault(place.lacks))
            return
        try:
            box.put(asyncio.run(_until_deadline(place, request, began)))
        except Exception as e:  # whatever a hostile or broken server provokes ends as one line
            box.put(fault_of(e, place))


def _taken(box: queue.SimpleQueue[ModelAnswer | Fault], until: float) -> ModelAnswer | Fault | None:
    """What comes into the box, None if nothing does until then (of `time.monotonic`)."""
    while (left := until - time.monotonic()) > 0:
        obey_stop()
        try:
            return box.get(timeout=min(left, _TICK))
        except queue.Empty:
            continue
    return None


async def _until_deadline(place: Endpoint, request: ModelRequest, began: float) -> ModelAnswer | Fault:
    """Attempts until one is answered, cannot be cured by waiting, or the deadline is near."""
    attempt, pause = 0, FIRST_PAUSE
    cap: int | None = request.max_output_tokens
    while (left := began + request.seconds - time.monotonic()) > 0:
        attempt += 1
        try:
            response = await _request(place, request, cap, left)
        except Exception as e:
            fault = fault_of(e, place)
            if fault.cap_too_large and cap is not None:
                cap = None
                continue
            wait = pause if fault.wait is None else fault.wait
            left = began + request.seconds - time.monotonic()
            if attempt >= fault.attempts:
                return fault
            if wait >= left:
                return fault.waiting_too_long(wait if fault.wait is not None else None, request.seconds)
            await asyncio.sleep(wait)
            pause = min(pause * 2, LONGEST_PAUSE)
        else:
            answer = _answer(response, request, time.monotonic() - began)
            if any(len(s) >= LEAST_SECRET and s in answer.text for s in place.secrets):  # it must not come into a document
                return Fault(f"{place.place} put the key into its answer")
            return answer
    return _late(request.seconds)


def _late(seconds: float) -> Fault:
    return Fault(f"no answer within {seconds:.0f} s")


async def _request(place: Endpoint, request: ModelRequest, cap: int | None, seconds: float) -> ModelResponse:
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest as Ask
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(
        temperature=0.0,
        timeout=seconds,  # for each read
        request_timeout=seconds,  # for all of it: a server that drips does not outlast it
        max_retries=0,  # attempts are counted here
    )
    if cap is not None:
        settings["max_tokens"] = cap
    async with _model(place) as model:
        return await model_request(
            model, [Ask.user_text_prompt(request.prompt, instructions=request.system)], model_settings=settings
        )


def _model(place: Endpoint) -> Model:
    if place.wire == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(place.model, provider=AnthropicProvider(api_key=place.key, base_url=place.base_url or None))
    if place.wire == "google":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel(place.model, provider=GoogleProvider(api_key=place.key, base_url=place.base_url or None))
    return _openai_model(place)


def _openai_model(place: Endpoint) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if place.service_name == "openai":
        return OpenAIChatModel(place.model, provider=OpenAIProvider(base_url=place.base_url, api_key=place.key))
    # A server without a key still gets a header, as the SDK wants one; never a key from the process's environment.
    provider = OpenAICompatibleProvider(place.service_name, base_url=place.base_url, api_key=place.key or "none")
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=place.new_token_cap)
    return OpenAIChatModel(place.model, provider=provider, profile=profile)


def _answer(response: ModelResponse, request: ModelRequest, seconds: float) -> ModelAnswer:
    """What the server counted is taken as it is; what it did not count is estimated."""
    text = response.text or ""
    refused = (response.provider_details or {}).get("refusal")
    finish = response.finish_reason or "stop"
    usage = response.usage
    return ModelAnswer(
        text=text or (refused if isinstance(refused, str) else ""),
        input_tokens=usage.input_tokens if usage.input_tokens > 0 else rough_tokens(request.system) + rough_tokens(request.prompt),
        output_tokens=usage.output_tokens if usage.output_tokens > 0 else rough_tokens(text),
        finish=_FINISH.get(finish, finish),
        seconds=seconds,
        cost=_cost(response),
    )


def _cost(response: ModelResponse) -> float | None:
    """US dollars by the price list that comes with the library; None for a model or service that it does not have."""
    try:
        return float(response.cost().total_price)
    except Exception:  # no price is no fault of the answer
        return None

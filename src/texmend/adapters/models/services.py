"""Which service a model name means: its address, its key and its habits. Pure; nothing is asked here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason

BASE_URL = "TEXMEND_MODEL_BASE_URL"
API_KEY = "TEXMEND_MODEL_API_KEY"
LOCAL = "local"
"""The service of a model file on this machine: "local:PATH.gguf" (`adapters.models.local`)."""


@dataclass(frozen=True, slots=True)
class Service:
    """A place where models are served."""

    wire: str
    """The protocol: "openai", "anthropic" or "google"."""
    base_url: str = ""
    """Empty: the SDK's own, or it must be given."""
    keys: tuple[str, ...] = ()
    """Variables that hold its key, in the order they are tried."""
    base_url_variable: str = ""
    needs_key: bool = True
    new_token_cap: bool = False
    """The cap on the answer goes by the newer name `max_completion_tokens`. Local servers may know only `max_tokens` and
    then run without end (llama_cpp.server 0.3.36)."""
    rewrites: bool = False
    """The models that run there are mostly small: they do better when they write a part again than when they edit it
    (docs/models.md has the figures)."""


SERVICES: Mapping[str, Service] = {
    "openai": Service("openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",), "OPENAI_BASE_URL", new_token_cap=True),
    "deepseek": Service("openai", "https://api.deepseek.com", ("DEEPSEEK_API_KEY",)),
    "openrouter": Service("openai", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    "mistral": Service("openai", "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",)),
    "groq": Service("openai", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
    "alibaba": Service(
        "openai", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", ("ALIBABA_API_KEY", "DASHSCOPE_API_KEY")
    ),
    "ollama": Service(
        "openai", "http://127.0.0.1:11434/v1", ("OLLAMA_API_KEY",), "OLLAMA_BASE_URL", needs_key=False, rewrites=True
    ),
    "vllm": Service("openai", "http://127.0.0.1:8000/v1", ("VLLM_API_KEY",), "VLLM_BASE_URL", needs_key=False),
    "llamacpp": Service("openai", "http://127.0.0.1:8080/v1", (), needs_key=False, rewrites=True),
    "openai-compatible": Service("openai", needs_key=False),
    "anthropic": Service("anthropic", "", ("ANTHROPIC_API_KEY",)),
    "google-gla": Service("google", "", ("GOOGLE_API_KEY", "GEMINI_API_KEY")),
}
ALIASES: Mapping[str, str] = {
    "google": "google-gla",
    "gemini": "google-gla",
    "qwen": "alibaba",
    "claude": "anthropic",
    "llama.cpp": "llamacpp",
}

_KEY = re.compile(r"(?:sk-|pk-|gsk_|xai-|hf_|AIza)\S{12,}")
"""What was pasted in a name's place must not be printed."""
_AT_URL = re.compile(r"(?P<name>.+?)@(?P<url>https?://\S+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at a service, ready to be asked."""

    service_name: str
    model: str
    base_url: str
    key: str = field(repr=False)
    wire: str
    new_token_cap: bool
    lacks: str = ""
    """What must be there before it can be asked (its key, its package), one line; empty: nothing."""
    keyring: bool = False
    """Its key is not in the environment; the system's keyring may have it, and is looked into with the first question."""
    rewrites: bool = False
    """`strategy = auto` means `rewrite` for its models."""

    @property
    def name(self) -> str:
        """ "service:model", without the address: what traces and reports show."""
        return f"{self.service_name}:{self.model}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must be in no message: the key, and the password in the address, as it stands there and as it is sent."""
        password = urlsplit(self.base_url).password or ""
        return tuple(s for s in dict.fromkeys((self.key, password, unquote(password))) if s)

    @property
    def place(self) -> str:
        """The address without user, password and query; the service's name where the SDK knows the address."""
        if not self.base_url:
            return self.service_name
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def endpoint(name: str, env: Mapping[str, str]) -> Endpoint:
    """The endpoint that a model name means in this environment.

    Raises:
        UsageError: the name has no known service, no model, or no address.
    """
    bare, url = _split_url(name.strip())
    if _KEY.fullmatch(bare.rpartition(":")[2]):
        raise _bad(f"the model's name looks like a key; write SERVICE:NAME, and keep the key in a variable such as {API_KEY}")
    url = url or env.get(BASE_URL, "")
    service_name, model = _split_service(bare, known_address=bool(url))
    service = SERVICES[service_name]
    url = url or env.get(service.base_url_variable, "") or service.base_url
    if service_name == "openai-compatible" and not url:
        raise _bad(f"model {bare!r} needs an address: write {bare}@http://HOST:PORT/v1 or set {BASE_URL}")
    if url:
        _check_url(url)
    key = next((k for v in (API_KEY, *service.keys) if (k := env.get(v, "").strip())), "")
    missing = service.needs_key and not key
    lacks = f"no key: set {' or '.join((*service.keys, API_KEY))}, or run: keyring set texmend {service_name}" if missing else ""
    return Endpoint(service_name, model, url, key, service.wire, service.new_token_cap, lacks, missing, service.rewrites)


def _split_url(name: str) -> tuple[str, str]:
    found = _AT_URL.fullmatch(name)
    return (found["name"], found["url"]) if found else (name, "")


def _split_service(bare: str, known_address: bool) -> tuple[str, str]:
    """Service and model; with an address, a name of no known service is the model's own name ("qwen2.5-coder:7b")."""
    prefix, colon, model = bare.partition(":")
    service = ALIASES.get(prefix.lower(), prefix.lower())
    if colon and service in SERVICES:
        if not model.strip():
            raise _bad(f"model {bare!r} names a service but no model: write {prefix}:NAME")
        return service, model.strip()
    if known_address and bare:
        return "openai-compatible", bare
    near = difflib.get_close_matches(service, [*SERVICES, *ALIASES, LOCAL], 1)
    hint = f"did you mean {near[0]}:NAME?" if near else f"known services: {', '.join((*SERVICES, LOCAL))}"
    raise _bad(f"model {bare!r} names no known service (write SERVICE:NAME); {hint}")


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment:
        raise _bad("the model's address is not a URL such as http://127.0.0.1:8080/v1 (without ? and #)")


def _bad(message: str) -> UsageError:
    return UsageError(message, StopReason.BAD_OPTION)

"""Keys that the system's keyring holds for texmend, through the library `keyring` where it is installed (extra `keyring`)."""

from __future__ import annotations

STORE = "texmend"
"""The name under which they are kept: `keyring set texmend openai`."""


def stored_key(service_name: str) -> str:
    """The key of a service; empty where there is none, no keyring, or no library for it.

    May wait for the user to unlock the keyring: to be called where a deadline holds.
    """
    try:
        import keyring

        return (keyring.get_password(STORE, service_name) or "").strip()
    except Exception:  # a locked, broken or absent keyring is no key; backends raise what they like
        return ""

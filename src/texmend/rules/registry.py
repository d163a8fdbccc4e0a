"""The rules, in the order in which they are asked: certain and narrow first. Kept by hand."""

from __future__ import annotations

from texmend.rules.base import Rule

RULES: tuple[Rule, ...] = ()

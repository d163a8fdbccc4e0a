"""Tolerant scanner of LaTeX text. See the tests for what it promises."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scan:
    text: str


def scan(text: str) -> Scan:
    return Scan(text)

"""`texmend explain`: what a kind of error means."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.output import print_json
from texmend.faces.cli.text import put
from texmend.model.diagnostic import Kind
from texmend.model.report import SCHEMA
from texmend.settings import bad_option, nearest
from texmend.tex.advice import explain as explanation


@click.command(short_help="Explain a kind of error.")
@click.argument("kind", required=False)
@flags.lang_option
@flags.json_option
def explain(kind: str | None, lang: str | None, as_json: bool) -> int:
    """Explain a KIND of error and what texmend can do about it; without KIND, list all kinds."""
    if kind is not None and kind not in set(Kind):
        raise bad_option(f"unknown kind {kind!r}{nearest(kind, Kind)} (texmend explain lists all)")
    kinds = [Kind(kind)] if kind else list(Kind)
    rows = [(k, explanation(k, lang or "en"), _rules(k)) for k in kinds]
    if as_json:
        print_json({"schema": SCHEMA, "kinds": [{"kind": k, "text": text, "rules": dict(rules)} for k, text, rules in rows]})
        return 0
    for k, text, rules in rows:
        put(click.style(f"{k}", bold=True) + f": {text}")
        for name, summary in rules if kind else ():
            put(f"  {click.style(f'rule:{name}', fg='green')}: {summary}")
    return 0


def _rules(kind: Kind) -> list[tuple[str, str]]:
    """Name and summary of each rule that answers to this kind."""
    from texmend.rules.registry import RULES

    return [(rule.name, rule.summary) for rule in RULES if kind in rule.kinds]

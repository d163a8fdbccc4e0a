"""`texmend bench`: what a model repairs of known failures, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import print_json
from texmend.faces.cli.text import count, one_line, put
from texmend.model.evaluation import ABLATIONS, SCHEMA, CaseRow, Evaluation, Plan, VariantResult
from texmend.settings import STRATEGIES


@click.command(short_help="Measure what a model repairs.")
@click.argument("folder", required=False)
@flags.model_options
@flags.rounds_option
@click.option("--strategy", type=click.Choice(STRATEGIES), help="How the model repairs.")
@flags.token_budget_option
@flags.pass_timeout_option
@flags.wall_budget_option
@click.option("--case", "only", multiple=True, metavar="TEXT", help="Only cases with this in their name; may be repeated.")
@click.option("--no-rules", is_flag=True, help="The model alone repairs, without rules and search.")
@click.option("--ablate", type=click.Choice(ABLATIONS), help="Run every case several times, with one thing made different.")
@click.option("--record", metavar="DIR", help="Keep questions and answers here; a question that is kept is not asked again.")
@click.option("--replay", metavar="DIR", help="Take the answers from here, and ask nobody.")
@flags.json_option
@flags.quiet_option
@click.pass_context
def bench(
    ctx: click.Context,
    /,
    folder: str | None,
    only: tuple[str, ...],
    no_rules: bool,
    ablate: str | None,
    record: str | None,
    replay: str | None,
    as_json: bool,
    quiet: bool,
    **_settings: object,
) -> int:
    """Run the known failures in FOLDER against a model, and compare what it makes with the right repairs.

    FOLDER holds folders with case.json, broken/ and fixed/; without it the benchmark's cases are taken, from the folder that
    TEXMEND_BENCH names (it holds cases/source) or from ../shared. Rules and search come first, as in `fix`: the model
    gets what they leave. Nothing is written beside the cases.
    """
    if record and replay:
        raise click.UsageError("--record and --replay exclude each other")
    cases: UseCases = ctx.obj
    plan = Plan(folder, only, ablate or "", not no_rules, record, replay)
    found = cases.evaluate(plan, flags.given_settings(ctx, "."), _ignore if quiet else _tell)
    if as_json:
        print_json({"schema": SCHEMA, **_shape(found)})
    else:
        _print(found)
    return 0


def _tell(variant: str, row: CaseRow) -> None:
    """One line on standard error for a case that has ended."""
    how = "faithful" if row.faithful else "verified, but not as the right repair" if row.verified else row.stop_reason
    who = f"model, {count(row.rounds, 'round')}" if row.rounds else "rules" if row.verified else "not asked"
    put(one_line(f"texmend: {variant}: {row.case}: {how} ({who}, {row.seconds:.0f} s)"), err=True)


def _ignore(_variant: str, _row: CaseRow) -> None:
    """No progress."""


def _shape(found: Evaluation) -> dict[str, object]:
    variants = [{"variant": v.variant, **v.figures(), "rows": [asdict(row) for row in v.rows]} for v in found.variants]
    return {"model": found.model, "folder": found.folder, "ablation": found.ablation, "variants": variants}


def _print(found: Evaluation) -> None:
    """The tables, as rich draws them: one column for each variant, then the cases that the model was asked about."""
    import sys

    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from texmend.faces.cli.text import colours, is_terminal

    # Off a terminal a table is as wide as it is.
    wide = None if is_terminal(sys.stdout) else 200
    console = Console(no_color=not colours(sys.stdout), highlight=False, markup=False, emoji=False, width=wide)
    figures = Table(box=SIMPLE_HEAD, title=f"{found.model}: {count(len(found.variants[0].rows), 'case')}", title_justify="left")
    figures.add_column("")
    for variant in found.variants:
        figures.add_column(one_line(variant.variant), justify="right")
    for name, values in _figures(found.variants):
        figures.add_row(name, *values)
    console.print(figures)
    rows = [(v.variant, r) for v in found.variants for r in v.rows if r.rounds or r.stop_reason == "model_unavailable"]
    if not rows:
        return
    heads = ("case", "variant", "result", "rounds", "refused", "tokens", "seconds", "why it stopped")
    cases = Table(*heads, box=SIMPLE_HEAD, title="left to the model", title_justify="left")
    for variant_name, row in rows:
        result = "faithful" if row.faithful else "not faithful" if row.verified else row.stop_reason
        tokens = f"{row.input_tokens} + {row.output_tokens}"
        cells = (row.case, variant_name, result, str(row.rounds), str(row.refused), tokens, f"{row.seconds:.1f}", row.detail)
        cases.add_row(*map(one_line, cells))
    console.print(cases)


def _figures(variants: tuple[VariantResult, ...]) -> Iterator[tuple[str, list[str]]]:
    """Rows of the first table."""
    yield "repaired (verified)", [f"{v.verified} of {len(v.rows)}" for v in variants]
    yield "faithful", [f"{v.faithful} of {len(v.rows)}" for v in variants]
    yield "left to the model", [str(v.asked) for v in variants]
    yield "  repaired by it", [f"{v.by_model} of {v.asked}" for v in variants]
    yield "  faithful", [f"{v.faithful_by_model} of {v.asked}" for v in variants]
    yield "rounds", [str(v.rounds) for v in variants]
    yield "  gain of each round", [" + ".join(map(str, v.gains)) or "0" for v in variants]
    yield "answers refused", [str(v.refused) for v in variants]
    yield "tokens, in and out", [str(v.tokens) for v in variants]
    yield "  of a question", [str(v.input_per_round) for v in variants]
    yield "  of a repair (median)", [str(v.tokens_per_repair) for v in variants]
    yield "US dollars", ["" if v.cost is None else f"{v.cost:.4f}" for v in variants]
    yield "seconds of a case (median)", [f"{v.median_seconds:.1f}" for v in variants]

"""The entry point: parses the command line, runs one verb, and turns every way to fail into one clear line."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from texmend import __version__
from texmend.faces.cli.group import Verbs
from texmend.faces.cli.output import failure, finish, silence
from texmend.faces.cli.text import one_line
from texmend.model.errors import TexmendError
from texmend.model.outcome import StopReason
from texmend.settings import nearest

if TYPE_CHECKING:
    from texmend.faces.cli.calls import UseCases


@click.group(
    cls=Verbs, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="texmend")
@click.pass_context
def texmend(ctx: click.Context) -> None:
    """Make a LaTeX document that does not build, build again, and prove what was done."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> NoReturn:
    """Runs the command line of this process and exits with its code."""
    signal.signal(signal.SIGTERM, _interrupted)
    sys.exit(run(sys.argv[1:]))


def _interrupted(_number: int, _frame: object) -> NoReturn:
    """SIGTERM ends a verb as Ctrl-C does: its programs end with it, and its result is told."""
    raise KeyboardInterrupt


def run(argv: Sequence[str], cases: UseCases | None = None) -> int:
    """One command line is carried out and its result printed; gives the exit code (DESIGN section 1)."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        return _run(argv, cases) or 0
    except BrokenPipeError:
        silence()
        return 1
    except SystemExit as e:  # click ends so on a broken pipe
        return e.code if isinstance(e.code, int) else 1


def _run(argv: Sequence[str], cases: UseCases | None) -> int | None:
    try:
        code: int | None = texmend.main(list(argv), prog_name="texmend", standalone_mode=False, obj=cases or _installed())
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        raise
    except click.UsageError as e:
        report = failure(StopReason.BAD_OPTION, _usage(e))
    except (click.Abort, KeyboardInterrupt):
        report = failure(StopReason.CANCELLED, "stopped by you; nothing was written after that")
    except TexmendError as e:
        report = failure(e.reason, one_line(str(e)))
    except Exception as e:
        from texmend.faces.cli.fault import fault

        report = fault(e)
    return finish(report, as_json="--json" in argv)


def _installed() -> UseCases:
    from texmend.faces.cli.installed import Installed

    return Installed()


def _usage(error: click.UsageError) -> str:
    """One line that says what is wrong with the command line, and names the nearest good word."""
    command = error.ctx.command_path if error.ctx else "texmend"
    if isinstance(error, click.NoSuchOption) and error.ctx:
        known = [name for p in error.ctx.command.get_params(error.ctx) for name in p.opts if name.startswith("--")]
        return f"unknown option {error.option_name}{nearest(error.option_name, known)} (all of them: {command} --help)"
    return one_line(f"{error.format_message()} (see {command} --help)")


if __name__ == "__main__":
    main()

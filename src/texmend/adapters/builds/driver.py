"""From what the engine wrote to a PDF, and from EPS figures to what pdfTeX reads: the drivers and their commands."""

from __future__ import annotations

from dataclasses import dataclass

from texmend.model.document import Engine


@dataclass(frozen=True, slots=True)
class DriverStep:
    """One program on the way to the PDF."""

    tool: str
    argv: tuple[str, ...]


def driver_steps(engine: Engine, job: str, above: bool = False) -> tuple[DriverStep, ...]:
    """What follows the last engine pass; nothing for the engines that write the PDF themselves.

    Args:
        above: the document reads from the folder above its own, inside the workspace.
    """
    match engine:
        case Engine.PDFLATEX | Engine.LUALATEX | Engine.TECTONIC:
            return ()
        case Engine.XELATEX:
            return (DriverStep("xdvipdfmx", ("xdvipdfmx", "-E", "-o", f"{job}.pdf", f"{job}.xdv")),)
        case Engine.UPLATEX:
            return (DriverStep("dvipdfmx", ("dvipdfmx", "-o", f"{job}.pdf", f"{job}.dvi")),)
        case Engine.LATEX:
            # -R1: specials run nothing; -R2: nor do they read from above (dvips manual, "Option details")
            return (
                DriverStep("dvips", ("dvips", "-R1" if above else "-R2", "-z", "-o", f"{job}.ps", f"{job}.dvi")),
                DriverStep("ps2pdf", (*GHOSTSCRIPT, "-dALLOWPSTRANSPARENCY", f"-sOutputFile={job}.pdf", f"{job}.ps")),
            )


GHOSTSCRIPT = (
    "gs",
    "-q",
    "-dSAFER",
    "-dBATCH",
    "-dNOPAUSE",
    "-sDEVICE=pdfwrite",
    "-dCompatibilityLevel=1.5",
    "-dAutoRotatePages=/None",
)


def eps_step(name: str, made: str) -> DriverStep:
    """Turns an EPS figure into a PDF of its bounding box."""
    return DriverStep("ghostscript", (*GHOSTSCRIPT, "-dEPSCrop", f"-sOutputFile={made}", name))

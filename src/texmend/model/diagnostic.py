"""A diagnostic: one thing that a tool of the build said, typed and placed as well as can be known.

`Kind` is the stable list that `texmend explain` documents. For the kinds whose name starts with `missing-`
the subject is the name of the file or font that is missing (DESIGN section 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Kind(StrEnum):
    """What went wrong. Names are stable: they appear in JSON, in `explain` and in rules."""

    # names that nobody defined
    UNDEFINED_COMMAND = "undefined-command"
    UNDEFINED_ENVIRONMENT = "undefined-environment"
    UNDEFINED_COLOR = "undefined-color"
    UNDEFINED_COUNTER = "undefined-counter"
    UNDEFINED_KEY = "undefined-key"
    UNDEFINED_OPTION = "undefined-option"
    ALREADY_DEFINED = "already-defined"
    OPTION_CLASH = "option-clash"
    # files and fonts
    MISSING_FILE = "missing-file"
    MISSING_PACKAGE = "missing-package"
    MISSING_CLASS = "missing-class"
    MISSING_FIGURE = "missing-figure"
    MISSING_FONT = "missing-font"
    MISSING_BIBLIOGRAPHY = "missing-bibliography"
    MISSING_STYLE = "missing-style"
    MISSING_LIBRARY = "missing-library"
    MISSING_LANGUAGE = "missing-language"
    GRAPHIC_FORMAT = "graphic-format"
    # structure
    ENVIRONMENT_MISMATCH = "environment-mismatch"
    UNCLOSED_ENVIRONMENT = "unclosed-environment"
    UNCLOSED_GROUP = "unclosed-group"
    EXTRA_BRACE = "extra-brace"
    RUNAWAY_ARGUMENT = "runaway-argument"
    PARAGRAPH_IN_ARGUMENT = "paragraph-in-argument"
    NO_BEGIN_DOCUMENT = "no-begin-document"
    NO_END_DOCUMENT = "no-end-document"
    PREAMBLE_ONLY = "preamble-only"
    PARAMETER_NUMBER = "parameter-number"
    MACRO_USE = "macro-use"
    """A macro's use does not match its definition."""
    FILE_ENDED = "file-ended"
    """The file ended while something was being scanned."""
    INCOMPLETE_CONDITIONAL = "incomplete-conditional"
    VERBATIM_IN_ARGUMENT = "verbatim-in-argument"
    # mathematics
    MATH_EXPECTED = "math-expected"
    """"Missing $ inserted" and "allowed only in math mode"."""
    MATH_UNCLOSED = "math-unclosed"
    """Display math should end with $$; "Bad math environment delimiter"."""
    MATH_DELIMITER = "math-delimiter"
    r"""\left and \right, missing or extra; missing delimiter."""
    DOUBLE_SCRIPT = "double-script"
    # tables
    EXTRA_ALIGNMENT = "extra-alignment"
    MISPLACED_ALIGNMENT = "misplaced-alignment"
    r"""Misplaced &, \noalign, \omit or \cr."""
    COLUMN_SPECIFICATION = "column-specification"
    # lists, floats, paragraphs
    ITEM_EXPECTED = "item-expected"
    ITEM_OUTSIDE_LIST = "item-outside-list"
    CAPTION_OUTSIDE_FLOAT = "caption-outside-float"
    FLOAT_PLACE = "float-place"
    """Not in outer par mode; a float option that is not known; a float inside a box."""
    TOO_MANY_FLOATS = "too-many-floats"
    NESTING_TOO_DEEP = "nesting-too-deep"
    COUNTER_TOO_LARGE = "counter-too-large"
    NO_LINE_TO_END = "no-line-to-end"
    MODE = "mode"
    """A command used in the wrong mode (\\hrule in a line, "You can't use ... in ... mode")."""
    # numbers
    NUMBER_EXPECTED = "number-expected"
    UNIT_EXPECTED = "unit-expected"
    DIMENSION_TOO_LARGE = "dimension-too-large"
    # characters
    UNICODE_CHARACTER = "unicode-character"
    INVALID_UTF8 = "invalid-utf8"
    LOST_CHARACTER = "lost-character"
    """A character that the font does not have, in a real font."""
    # packages' own idioms
    ENGINE_MISMATCH = "engine-mismatch"
    SHELL_ESCAPE = "shell-escape"
    TIKZ_SYNTAX = "tikz-syntax"
    CITATION_STYLE = "citation-style"
    """natbib: bibliography not compatible with author-year citations."""
    TOO_OLD = "too-old"
    """A package or LaTeX itself is older than what a package of the document asks for."""
    PACKAGE_ERROR = "package-error"
    CLASS_ERROR = "class-error"
    LATEX_ERROR = "latex-error"
    TEX_ERROR = "tex-error"
    LUA_ERROR = "lua-error"
    # other tools
    BIBLIOGRAPHY_SYNTAX = "bibliography-syntax"
    BIBLIOGRAPHY_ERROR = "bibliography-error"
    INDEX_ERROR = "index-error"
    DRIVER_ERROR = "driver-error"
    MISSING_TOOL = "missing-tool"
    # the run itself
    UNSAFE = "unsafe"
    """The document read, wrote or connected outside, or overwrote a source; refused."""
    CAPACITY = "capacity"
    TIMEOUT = "timeout"
    OUTPUT_LIMIT = "output-limit"
    MEMORY_LIMIT = "memory-limit"
    ENGINE_CRASH = "engine-crash"
    FATAL = "fatal"
    """Emergency stop, fatal error, "no legal \\end found": the last word, rarely the cause."""
    NO_PAGES = "no-pages"
    # warnings
    UNDEFINED_REFERENCE = "undefined-reference"
    UNDEFINED_CITATION = "undefined-citation"
    LOST_FLOAT = "lost-float"
    OVERFULL_BOX = "overfull-box"
    RERUN = "rerun"
    WARNING = "warning"


MISSING_FILES = frozenset(k for k in Kind if k.startswith("missing-") and k is not Kind.MISSING_TOOL)
"""The kinds whose subject is a file or font that was not found."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Where the author should look, and why there."""

    file: str
    line: int
    column: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that a tool said. An error that cannot be placed has `file=None`; it is never dropped."""

    kind: Kind
    severity: Severity
    tool: str
    """The program: "pdflatex", "bibtex", "biber", "makeindex", "dvipdfmx", …"""
    message: str
    """The tool's own words, one line, continuation lines joined; never translated."""
    file: str | None = None
    """Relative to the workspace, absolute outside it."""
    line: int | None = None
    column: int | None = None
    subject: str = ""
    """The command (with its backslash), environment, file, font or key that it is about."""
    context: str = ""
    """The source text that TeX shows after `l.N`, up to where it stopped reading."""
    rest: str = ""
    """The source text that TeX shows on the next line: what it had not read yet."""
    span: tuple[int, int] | None = None
    """Byte offsets of this message in the tool's log."""
    cause: Cause | None = None
    follows: int | None = None
    """Index, in the same list, of the error that this one follows from; None for a cause of its own."""
    details: tuple[str, ...] = ()
    """The other lines that belong to the message: the runaway text, the macro trail, the help text."""

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR

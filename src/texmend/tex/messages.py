r"""What TeX's, LaTeX's and the packages' error messages mean: the table from words to `Kind` and subject.

The first line that matches decides. The forms are those of tex.web, etex.ch, pdftex.web, latex.ltx, expl3 and the
packages themselves (TeX Live 2020 to 2025). The group `s` of a pattern is the subject.
"""

from __future__ import annotations

import re

from texmend.model.diagnostic import Kind

_Q = r"[`'\"‘’“”]"
"""A quotation mark, as old and new messages set them."""
_NAME = rf"{_Q}(?P<s>[^`'\"‘’“”\n]{{1,300}}){_Q}"
_CS = r"(?P<s>\\(?:[A-Za-z@:_]+|[^\s]))"

_TABLE: tuple[tuple[str, Kind], ...] = (
    # the last words of a run
    (r"^(?:Emergency stop| ?==> Fatal error|==> Fatal error)", Kind.FATAL),
    (r"job aborted|^Interruption", Kind.FATAL),
    (r"TeX capacity exceeded, sorry \[(?P<s>[^=\]]*)", Kind.CAPACITY),
    (r"That makes 100 errors", Kind.FATAL),
    # names that nobody defined
    (r"^Undefined control sequence", Kind.UNDEFINED_COMMAND),
    (r"LaTeX Error: Environment (?P<s>.+?) undefined", Kind.UNDEFINED_ENVIRONMENT),
    (rf"Environment {_NAME} undefined", Kind.UNDEFINED_ENVIRONMENT),
    (rf"Command {_Q}?{_CS}{_Q}? ?undefined", Kind.UNDEFINED_COMMAND),
    (rf"Undefined colou?r(?: model)? ?{_NAME}", Kind.UNDEFINED_COLOR),
    (rf"Unknown colou?r(?: model)? ?{_NAME}", Kind.UNDEFINED_COLOR),
    (rf"No counter {_NAME} defined", Kind.UNDEFINED_COUNTER),
    (rf"(?:Unknown|unknown) key:? {_NAME}", Kind.UNDEFINED_KEY),
    (
        rf"The key {_Q}(?P<s>[^'\"`]+){_Q} (?:is unknown|does not exist|is not known|requires|only accepts|accepts)",
        Kind.UNDEFINED_KEY,
    ),
    (rf"I do not know the key {_NAME}", Kind.UNDEFINED_KEY),
    (r"keyval Error: `?(?P<s>.+?)'? undefined", Kind.UNDEFINED_KEY),
    (rf"Choice {_NAME} unknown", Kind.UNDEFINED_KEY),
    (rf"The choice {_NAME} is unknown", Kind.UNDEFINED_KEY),
    (rf"Undefined theorem style|Theorem style {_NAME}", Kind.PACKAGE_ERROR),
    # fonts
    (rf"The font {_Q}(?P<s>.+?){_Q} cannot be found", Kind.MISSING_FONT),
    (r"Font (?:\S+ ?= ?)?(?P<s>.+?) not loadable: Metric", Kind.MISSING_FONT),
    (r"Font (?:\S+ ?= ?)?(?P<s>.+?) (?:at [\d.]+pt |scaled \d+ )?not (?:loadable|found)", Kind.MISSING_FONT),
    (r"Font \S+ ?=(?P<s>.+?) not loaded", Kind.MISSING_FONT),
    (r"font (?:file )?\(?file\s+(?P<s>\S+?)\)?: (?:cannot open|.*not found)", Kind.MISSING_FONT),
    (r"\(file (?P<s>[^)\s]+\.(?:pf[ab]|tfm|enc|ttf|otf|vf))\)", Kind.MISSING_FONT),
    (r"Font (?P<s>\S+) at \d+ not found", Kind.MISSING_FONT),
    (r"This NFSS system isn't set up properly", Kind.MISSING_FONT),
    (rf"(?:Encoding scheme|encoding) +{_NAME} (?:unknown|is not)", Kind.UNDEFINED_OPTION),
    # engines and the shell
    (
        r"fontspec package requires either|requires (?:either )?(?:XeTeX|LuaTeX|XeLaTeX|LuaLaTeX|the XeTeX|the LuaTeX)",
        Kind.ENGINE_MISMATCH,
    ),
    (
        r"(?:must|need to|should) (?:be |use |compile |run |change ).{0,40}(?:xelatex|lualatex|XeTeX|LuaTeX|XeLaTeX|LuaLaTeX)",
        Kind.ENGINE_MISMATCH,
    ),
    (
        r"(?:XeTeX|LuaTeX|XeLaTeX|LuaLaTeX|pdfTeX|pdfLaTeX) (?:is )?required|Cannot be run with pdftex|engine .{0,30}not supported",
        Kind.ENGINE_MISMATCH,
    ),
    (r"not supported by (?:this|the current) (?:TeX )?engine|Incorrect driver option|Wrong DVI mode driver", Kind.ENGINE_MISMATCH),
    (r"-shell-escape|shell escape|--shell-escape|write18", Kind.SHELL_ESCAPE),
    (r"Package svg Error: File `(?P<s>.+_svg-(?:tex|raw)\.[a-z_]+)' is missing", Kind.SHELL_ESCAPE),
    # files
    (r"I can't find file [`'\"](?P<s>[\w.+-]+\.code\.tex)['\"]", Kind.MISSING_LIBRARY),
    (rf"(?:library|Library) {_NAME}", Kind.MISSING_LIBRARY),
    (
        rf"language definition file (?P<s>\S+\.ldf)|(?:Unknown language|language option) {_NAME.replace('<s>', '<t>')}",
        Kind.MISSING_LANGUAGE,
    ),
    (rf"(?:You haven't (?:loaded|defined) the (?:language|option)|Unknown language) {_NAME}", Kind.MISSING_LANGUAGE),
    (rf"The file {_Q}gloss-(?P<s>[^'\"]+?)(?:\.ldf)?{_Q}", Kind.MISSING_LANGUAGE),
    (
        rf"(?:Encoding f|F)ile {_Q}(?P<s>[^'`\"\n]+\.(?:sty|def|fd|ldf|cfg|clo|lbx|code\.tex)){_Q} not found",
        Kind.MISSING_PACKAGE,
    ),
    (rf"File {_Q}(?P<s>[^'`\"\n]+\.cls){_Q} not found", Kind.MISSING_CLASS),
    (rf"File {_Q}(?P<s>[^'`\"\n]+\.(?:png|jpe?g|pdf|e?ps|svg|bmp|gif|mps|tiff?)){_Q} not found", Kind.MISSING_FIGURE),
    (rf"Package (?:\S+\.def|graphics|luatex\.def) Error: File {_Q}(?P<s>[^'`\"\n]+){_Q} not found", Kind.MISSING_FIGURE),
    (rf"(?:File|file) {_Q}(?P<s>[^'`\"\n]+){_Q} (?:was )?not found|I can't find file {_Q}(?P<t>[^'`\"\n]+)", Kind.MISSING_FILE),
    (rf"Unable to load picture or PDF file {_NAME}", Kind.MISSING_FIGURE),
    (r"Could not find file (?P<s>.+?)\.?$", Kind.MISSING_FILE),
    (rf"Style {_Q}(?P<s>[^'`\"]+){_Q} not found", Kind.MISSING_STYLE),
    (r"(?:Unknown graphics extension|No extension found): ?(?P<s>\S*?)\.?$", Kind.GRAPHIC_FORMAT),
    (r"Cannot determine size of graphic(?: in)? (?P<s>\S+)", Kind.GRAPHIC_FORMAT),
    (
        r"(?:reading image file failed|PDF inclusion: |Division by 0|unrecognized image|image inclusion|libpng: )",
        Kind.GRAPHIC_FORMAT,
    ),
    (rf"I can't write on file {_NAME}", Kind.FATAL),
    # options
    (r"Option clash for package (?P<s>[^\s]+?)\.?$", Kind.OPTION_CLASH),
    (rf"Unknown option {_NAME} for package", Kind.UNDEFINED_OPTION),
    (rf"(?:Unknown option|unknown option|Undefined option|Invalid option|Option) {_NAME}", Kind.UNDEFINED_OPTION),
    (rf"(?:Command|Environment|Counter|Length) ?{_Q}?(?P<s>\\?[^\s'`]+?){_Q}? ?already defined", Kind.ALREADY_DEFINED),
    (rf"(?:Control sequence|Command|The control sequence) {_Q}?{_CS}{_Q}? (?:is )?already defined", Kind.ALREADY_DEFINED),
    (r"Or name \\end\.\.\. illegal|already defined", Kind.ALREADY_DEFINED),
    # structure
    (r"\\begin ?\{document\} ?ended by ?\\end ?\{(?P<s>[^}]*)\}", Kind.ENVIRONMENT_MISMATCH),
    (r"\\begin ?\{(?P<s>[^}]*)\}.*ended by ?\\end ?\{document\}", Kind.UNCLOSED_ENVIRONMENT),
    (r"\\begin ?\{(?P<s>[^}]*)\}.*ended by", Kind.ENVIRONMENT_MISMATCH),
    (r"Extra \\endgroup", Kind.EXTRA_BRACE),
    (r"Too many \}'s|Extra \}, or forgotten", Kind.EXTRA_BRACE),
    (r"Argument of (?P<s>\S+?) ?has an extra \}", Kind.EXTRA_BRACE),
    (r"Paragraph ended before (?P<s>.+?) ?was complete", Kind.PARAGRAPH_IN_ARGUMENT),
    (r"File ended while scanning \w+ of (?P<s>\S+?)\.?$", Kind.FILE_ENDED),
    (r"File ended (?:while|within)", Kind.FILE_ENDED),
    (r"Forbidden control sequence found while scanning \w+ of (?P<s>\S+?)\.?$", Kind.RUNAWAY_ARGUMENT),
    (r"Forbidden control sequence", Kind.RUNAWAY_ARGUMENT),
    (r"Incomplete (?P<s>\\\w+); all text was ignored", Kind.INCOMPLETE_CONDITIONAL),
    (r"Extra (?P<s>\\(?:else|fi|or))", Kind.INCOMPLETE_CONDITIONAL),
    (r"Missing \\begin ?\{document\}", Kind.NO_BEGIN_DOCUMENT),
    (r"Can be used only in preamble|may only be used in the preamble|can only be used in the preamble", Kind.PREAMBLE_ONLY),
    (r"Illegal parameter number in definition of (?P<s>\S+?)\.?$", Kind.PARAMETER_NUMBER),
    (r"Illegal parameter number|You already have nine parameters|Parameters must be numbered consecutively", Kind.PARAMETER_NUMBER),
    (r"Use of (?P<s>.+?) ?doesn't match its definition", Kind.MACRO_USE),
    (r"\\verb ?(?:illegal|ended)|Verbatim-like .* (?:illegal|ended)|verbatim.*illegal", Kind.VERBATIM_IN_ARGUMENT),
    (r"Missing control sequence inserted", Kind.MACRO_USE),
    # mathematics
    (r"Missing \$ inserted|allowed only in math mode|is only allowed in math mode|Please use .* math", Kind.MATH_EXPECTED),
    (
        r"Display math should end with \$\$|Bad math environment delimiter|Missing \$\$ inserted|Erroneous nesting of equation",
        Kind.MATH_UNCLOSED,
    ),
    (r"Missing (?P<s>\\(?:right|left)[^\s]?) inserted|Extra (?P<t>\\(?:right|left|middle))|Missing delimiter", Kind.MATH_DELIMITER),
    (r"Double (?:sub|super)script", Kind.DOUBLE_SCRIPT),
    # tables
    (r"Extra alignment tab|Too many columns in eqnarray|Extra & on", Kind.EXTRA_ALIGNMENT),
    (r"Misplaced (?:alignment tab character|\\(?:noalign|omit|cr|crcr|span))", Kind.MISPLACED_ALIGNMENT),
    (r"Only one # is allowed per tab|Missing # inserted in alignment preamble", Kind.COLUMN_SPECIFICATION),
    (
        r"(?:Illegal (?:character|pream-token).*|Missing (?:@-exp|p-arg).*|in array arg|Missing arg: token|Unknown column type)",
        Kind.COLUMN_SPECIFICATION,
    ),
    # lists, floats, paragraphs
    (r"perhaps a missing ?\\item", Kind.ITEM_EXPECTED),
    (r"Lonely ?\\item", Kind.ITEM_OUTSIDE_LIST),
    (r"\\caption ?outside float", Kind.CAPTION_OUTSIDE_FLOAT),
    (rf"Not in outer par mode|Unknown float option {_NAME}|Floats? .*lost|\\marginpar lost", Kind.FLOAT_PLACE),
    (r"Too many unprocessed floats|Too many floats", Kind.TOO_MANY_FLOATS),
    (r"Too deeply nested", Kind.NESTING_TOO_DEEP),
    (r"Counter too large", Kind.COUNTER_TOO_LARGE),
    (r"no line here to end|There's no line", Kind.NO_LINE_TO_END),
    (r"You can't use (?P<s>.+?) in .* mode|invalid in math mode|can't be used in (?!cooperation)", Kind.MODE),
    (
        r"Improper (?P<s>\\(?:hyphenation|prevdepth|spacefactor|halign))|Leaders not|A box was supposed|Not allowed in LR mode",
        Kind.MODE,
    ),
    # numbers
    (r"Missing number|Number too big|Missing = inserted|Bad number|is not a number", Kind.NUMBER_EXPECTED),
    (r"Illegal unit of measure", Kind.UNIT_EXPECTED),
    (r"Dimension too large|Arithmetic overflow|You've exceeded the number|Infinite glue shrinkage", Kind.DIMENSION_TOO_LARGE),
    # characters
    (r"Unicode char(?:acter)? (?P<s>\s) ?\(U\+", Kind.UNICODE_CHARACTER),
    (r"Unicode char(?:acter)? (?P<s>\S+?)(?: ?\(U\+|\s|$)", Kind.UNICODE_CHARACTER),
    (
        r"Invalid UTF-8|Text line contains an invalid (?:character|utf-8)|Keyboard character used|String contains an invalid",
        Kind.INVALID_UTF8,
    ),
    (r"Missing character: There is no (?P<s>\S)", Kind.LOST_CHARACTER),
    (r"Command (?P<s>\\\S+) (?:unavailable|undeclared) in encoding", Kind.UNDEFINED_COMMAND),
    # packages' own idioms
    (r"Giving up on this path|Cannot parse this coordinate|No shape named|tikz Error|pgf Error|PGF Math Error", Kind.TIKZ_SYNTAX),
    (r"Bibliography not compatible with author-year citations", Kind.CITATION_STYLE),
    (rf"(?:{_NAME}|LaTeX kernel|LaTeX release) (?:is )?too old", Kind.TOO_OLD),
    (
        r"backend requests inconsistent|incompatible with biber|File '[^']*' is wrong format version|wrong format version",
        Kind.BIBLIOGRAPHY_ERROR,
    ),
    (r"Missing bracket|Undefined tab position|pushtabs .* don't match", Kind.LATEX_ERROR),
    (r"^\[\\directlua\]|\.lua:\d+:|lua (?:interpreter|error)|^LuaTeX error", Kind.LUA_ERROR),
    (r"^(?:pdfTeX|LuaTeX|XeTeX|luatex|pdftex)|^error: ", Kind.DRIVER_ERROR),
    # whoever speaks
    (r"^(?:Fatal |Critical )?Class ", Kind.CLASS_ERROR),
    (r"^(?:Fatal |Critical )?(?:Package|Module) ", Kind.PACKAGE_ERROR),
    (r"^(?:Fatal |Critical )?(?:LaTeX|LaTeX3)\b.*[Ee]rror", Kind.LATEX_ERROR),
)
_COMPILED = tuple((re.compile(pattern), kind) for pattern, kind in _TABLE)


_LIBRARY_FILE = re.compile(r"[\w.+-]+\.code\.tex")


def classify(message: str) -> tuple[Kind, str]:
    """The kind of an error message and the name that the message itself gives; TEX_ERROR and "" when the table has none."""
    text = message[:2000]
    for pattern, kind in _COMPILED:
        if found := pattern.search(text):
            return kind, _file_name(kind, _subject(found), text)
    return Kind.TEX_ERROR, ""


def _subject(found: re.Match[str]) -> str:
    groups = found.groupdict()
    return next((value.strip() for value in groups.values() if value and value.strip()), "")


def _file_name(kind: Kind, name: str, message: str) -> str:
    """The file that is missing, where the message names the thing that the file holds."""
    if kind is Kind.MISSING_LIBRARY:
        tried = _LIBRARY_FILE.search(message)
        return tried.group() if tried else name
    if kind is Kind.MISSING_LANGUAGE and name and not name.endswith(".ldf"):
        return f"gloss-{name}.ldf" if "olyglossia" in message or "gloss-" in message else f"{name}.ldf"
    if kind is Kind.MISSING_STYLE and "biblatex" in message:
        return name if "." in name else f"{name}.bbx"
    return name

r"""What the arguments of commands and environments hold: text, or names, lengths and other technique that no reader sees.

A role string has one letter for each mandatory argument: `x` text, `-` technique, `c` citation keys, `l` a label,
`r` references, `g` a figure file, `i` a file that is read, `u` an address. What is not listed holds text.
"""

from __future__ import annotations

from texmend.tex.names import commands, names

_ROLES = {
    "-": """vspace hspace color pagestyle thispagestyle pagenumbering bibliographystyle usepackage
    RequirePackage documentclass LoadClass usetheme usecolortheme usefonttheme useinnertheme
    useoutertheme setbeamertemplate geometry tikzset pgfplotsset lstset hypersetup captionsetup sisetup
    setlist usetikzlibrary usepgfplotslibrary usepgflibrary tcbset tcbuselibrary mdfsetup setminted
    usemintedstyle graphicspath allowdisplaybreaks linespread cline cmidrule hhline cellcolor rowcolor
    columncolor setstretch fontfamily fontseries fontshape selectfont selectlanguage setdefaultlanguage
    setmainlanguage setotherlanguage setmainfont setsansfont setmonofont setmathfont setCJKmainfont
    setCJKsansfont setCJKmonofont newcounter newlength stepcounter refstepcounter theoremstyle
    includeonly listfiles DeclareGraphicsExtensions ExecuteBibliographyOptions setcitestyle bibpunct
    unimathsetup index glossary printglossary phantom hphantom vphantom value arabic roman Roman alph
    Alph fnsymbol usecounter numberwithin acresetall DeclareMathVersion mathversion restylefloat
    floatstyle excludecomment includecomment ProvidesPackage ProvidesClass NeedsTeXFormat fancyhf
    addlinespace pgfkeys pgfmathparse""",
    "--": """setlength addtolength setcounter addtocounter definecolor_ colorlet fontsize rule rotatebox_
    titlespacing PassOptionsToPackage PassOptionsToClass DeclareUnicodeCharacter_ newcolumntype
    setbeamercolor setbeamerfont pgfmathsetmacro declaretheorem_ lstdefinestyle
    DefineVerbatimEnvironment newmintinline counterwithin counterwithout graphicspath_ ding_
    addcontentsline_ newfontfamily setlistdepth renewcommand_""",
    "---": "definecolor DeclareFieldFormat_ lstdefinelanguage_ DeclareRobustCommand_",
    "-x": """textcolor colorbox resizebox_ scalebox rotatebox parbox raisebox makebox_ framebox_ foreignlanguage
    DeclareUnicodeCharacter newtheorem hyperref_ hyperlink hypertarget captionof multirow_ adjustbox pdfbookmark_ newtcolorbox_
    mbox_ setbox_ fancyhead_ markboth_ phantomsection_""",
    "--x": "multicolumn multirow fcolorbox resizebox addcontentsline",
    "x-": "pdfbookmark",
    "ux": "href",
    "u": "url nolinkurl path",
    "l": "label",
    "r": """ref eqref pageref autoref nameref cref Cref vref Vref vpageref prettyref subref labelcref namecref
    nameCref crefrange fullref zcref""",
    "g": "includegraphics includesvg includepdf epsfig epsfbox psfig includestandalone",
    "i": """input include subfile subfileinclude lstinputlisting verbatiminput bibliography addbibresource
    pgfplotstableread csvautotabular loadglsentries InputIfFileExists externaldocument""",
    "-i": "inputminted import subimport",
}
ROLES: dict[str, str] = {"\\" + n: roles for roles, listed in _ROLES.items() for n in names(listed) if not n.endswith("_")}
UNSEEN = commands("index glossary phantom hphantom vphantom hypersetup excludecomment addcontentsline")
"""Commands whose technical argument takes any text, and shows none of it."""
CITING = "cite"
"""A command with this in its name takes citation keys last, unless it is one of those that define or style."""
NOT_CITING = commands("citestyle setcitestyle defcitealias DeclareCiteCommand citenumfont citepunct")
LISTS = frozenset("crgi")
"""Roles whose argument is a list with commas."""
OPTION_TEXT = frozenset(
    "\\" + n
    for n in names("""item section subsection subsubsection chapter part paragraph subparagraph caption title author date
    institute cite citep citet citealp parencite textcite autocite footcite todo bibitem newtheorem""")
)
"""Commands whose optional argument is text."""
BOXES = frozenset(
    "\\" + n
    for n in names("parbox makebox framebox raisebox includegraphics draw node path fill filldraw tikz pgfplot addplot \\ footnote")
)
"""Commands whose optional argument is never text."""
TECHNICAL_ENVIRONMENTS = names("""tabular tabular* tabularx tabulary longtable array minipage figure figure* table table* wrapfigure
    wraptable multicols adjustbox alignat alignat* alignedat spacing subfigure subtable tikzpicture axis
    columns column itemize enumerate description thebibliography list picture algorithm algorithm*
    algorithmic scope lstlisting minted Verbatim tblr longtblr adjustwidth axis semilogxaxis loglogaxis
    groupplot multicols* sidewaystable sidewaysfigure filecontents filecontents* otherlanguage CJK CJK*
    longtabu tabu xltabular supertabular array* subarray IEEEeqnarray empheq flalign threeparttable""")
TEXT_OPTIONS = frozenset(names("caption title frametitle description subtitle longcaption"))
"""Keys of options whose value is text."""

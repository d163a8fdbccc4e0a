"""Classes, packages and commands that need a certain engine.

Collected from the sources of TeX Live's classes and packages: what loads fontspec or the Lua, Japanese or PostScript layers
without asking which engine runs. A name that adapts itself to the engine is not here.
"""

from __future__ import annotations

from texmend.model.document import Engine

Need = tuple[Engine, tuple[Engine, ...]]
"""The engine to take, and others that can do it too."""

_PDF: Need = (Engine.PDFLATEX, ())
_UNICODE: Need = (Engine.XELATEX, (Engine.LUALATEX,))
_XE: Need = (Engine.XELATEX, ())
_LUA: Need = (Engine.LUALATEX, ())
_CHINESE: Need = (Engine.XELATEX, (Engine.LUALATEX, Engine.UPLATEX))
"""ctex works under pdfTeX too, but only where fonts for it are made; under the others it takes fonts from the system."""
_JAPANESE: Need = (Engine.UPLATEX, ())
_BXJS: Need = (Engine.UPLATEX, (Engine.XELATEX, Engine.LUALATEX))
_JLREQ: Need = (Engine.UPLATEX, (Engine.LUALATEX,))
_POSTSCRIPT: Need = (Engine.LATEX, ())
_PSTRICKS: Need = (Engine.LATEX, (Engine.XELATEX,))


def _table(*rows: tuple[Need, str]) -> dict[str, Need]:
    return {name: need for need, names in rows for name in names.split()}


CLASSES: dict[str, Need] = _table(
    (_CHINESE, "ctexart ctexrep ctexbook ctexbeamer"),
    (_UNICODE, "exam-zh fduthesis fduthesis-en inkpaper njuthesis njurepo njustthesis nwafuthesis sduthesis uestcthesis"),
    (_UNICODE, "thuthesis cquthesis hitszthesis shtthesis qyxf-book sjtuthesis ustcthesis ctxdoc fei bookshelf yb-book"),
    (_UNICODE, "lectures gammas awesome-cv beilstein"),
    (_XE, "BHCexam bidipresentation bitbook bitgrad bithesis bitbeamer buctthesis hfutthesis hithesis langscibook mynsfc"),
    (_XE, "nanicolle resumecls simpleresumecv simplethesisdissertation technionThesis thesis-qom xdupgthesis xduthesis"),
    (_XE, "xduugthesis xduugtp yazd-thesis zbMATH businesscard-qrcode"),
    (_LUA, "beamer-rl ltjarticle ltjbook ltjreport ltjsarticle ltjsbook ltjsreport ltjskiyou ltjspf ltjtarticle ltjtbook"),
    (_LUA, "ltjtreport novel pdfArticle wallcalendar hu-berlin-letter"),
    (_JAPANESE, "jarticle jbook jreport tarticle tbook treport ujarticle ujbook ujreport utarticle utbook utreport"),
    (_JAPANESE, "jsarticle jsbook jsreport jspf kiyou"),
    (_BXJS, "bxjsarticle bxjsbook bxjsreport bxjsslide"),
    (_JLREQ, "jlreq"),
    (_POSTSCRIPT, "seminar"),
)
PACKAGES: dict[str, Need] = _table(
    (_CHINESE, "ctex ctexcap"),
    (_UNICODE, "fontspec unicode-math polyglossia xunicode realscripts fontsetup plex-otf kpfonts-otf libertinus-otf heros-otf"),
    (_UNICODE, "pagella-otf termes-otf schola-otf xcharter-otf fourier-otf concmath-otf dejavu-otf gfsneohellenicot"),
    (_UNICODE, "newcomputermodern book-of-common-prayer missaali fspconcrete fspebgaramondot fspstixtwoot"),
    (_XE, "xeCJK xeCJKfntef xltxtra mathspec bidi xepersian arabxetex ucharclasses zhspacing xesearch xetexko xpinyin zitie"),
    (_XE, "hanzibox fontwrap interchar philokalia ptext fixlatvian xevlna xechangebar xecolor xespotcolor unisugar zxjatype"),
    (_XE, "bidi-atbegshi bidicontour bidipagegrid bidishadowtext cqubeamer xecyr parsa tetragonos unicode-bidi"),
    (_LUA, "luacode luatexja luatextra luamplib luaotfload luatexbase luainputenc lualatex-math luatexko luatodonotes luavlna"),
    (
        _LUA,
        "luaindex luakeys luapstricks luaquotes luapackageloader lua-ul lua-check-hyphen lua-typo lua-visual-debug lutabulartools",
    ),
    (
        _LUA,
        "lua-widow-control selnolig showhyphenation showkerning spelling stricttex typewriter pyluatex piton penlight emoji mandi",
    ),
    (_LUA, "chickenize cloze ekdosis innerscript linebreaker luabibentry luacas luacensor luacomplex luamesh luaset luatruthtable"),
    (_LUA, "datestamp emojicite luahyphenrules luarandom plantuml uninormalize lualatex-truncate luamodulartables"),
    (_LUA, "autopuncitems combofont enigma nodetree odsfile pgfmolbio scikgtex semesterplanner truthtable unitconv barracuda"),
    (_JAPANESE, "plext okumacro pxjahyper pxrubrica pxchfon pxbase pxbabel pxjafont jlreq-deluxe platexrelease mlutf mlcid"),
    (_POSTSCRIPT, "psfrag psfragx dsptricks vaucanson-g pst-pdf"),
    (_PSTRICKS, "pstricks pstricks-add pst-all pst-node gastex chemscheme pstring psvectorian swimgraf"),
)
"""`pst-…` and `luatexja-…` are known by their beginning."""
COMMANDS: dict[str, Need] = _table(
    (_UNICODE, "setmainfont setsansfont setmonofont setmathfont newfontfamily newfontface defaultfontfeatures babelfont"),
    (_UNICODE, "setdefaultlanguage setmainlanguage setotherlanguage setotherlanguages fontspec addfontfeature addfontfeatures"),
    (_XE, "setCJKmainfont setCJKsansfont setCJKmonofont newCJKfontfamily XeTeXinterchartokenstate XeTeXlinebreaklocale"),
    (_XE, "RequireXeTeX XeTeXgenerateactualtext XeTeXinputencoding"),
    (_UNICODE, "RequireTUTeX"),
    (_PDF, "RequirePDFTeX"),
    (_LUA, "directlua luaexec luadirect luacode setmainjfont RequireLuaTeX RequireLuaHBTeX"),
)

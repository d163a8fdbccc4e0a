r"""Kept by hand: which package people mean by a name that several define, and how common the packages are.

The hand table answers first, so that the commonest names need no index; a package that is not installed is passed over.
"""

from __future__ import annotations

_COMMANDS = r"""
amsmath: text eqref dfrac tfrac binom dbinom tbinom cfrac boxed intertext substack tag notag numberwithin DeclareMathOperator
amsmath: operatorname
amsmath: overset underset sideset xrightarrow xleftarrow iint iiint iiiint idotsint dotsc dotsb dotsm dotsi implies impliedby
amsmath: lvert rvert lVert rVert
amsmath: genfrac shoveleft shoveright allowdisplaybreaks displaybreak smash overleftrightarrow underrightarrow underleftarrow
amsmath: underleftrightarrow
amsmath: varlimsup varliminf varinjlim varprojlim injlim projlim hdotsfor pmb boldsymbol leftroot uproot mspace mathring dddot
amsmath: ddddot
amssymb: mathbb mathfrak square blacksquare lesssim gtrsim leqslant geqslant nleq ngeq nmid varnothing complement nexists
amssymb: therefore because
amssymb: blacktriangle triangleq checkmark lozenge blacklozenge rightsquigarrow rightleftharpoons leftrightharpoons upharpoonright
amssymb: ltimes rtimes
amssymb: subsetneq supsetneq nsubseteq nsupseteq hbar hslash beth gimel daleth circledR yen preccurlyeq succcurlyeq ll lll ggg
amssymb: eqsim Bbbk
amssymb: curvearrowright curvearrowleft twoheadrightarrow rightarrowtail circlearrowleft circlearrowright multimap barwedge veebar
amssymb: doublebarwedge
amssymb: trianglelefteq trianglerighteq ntriangleleft vartriangle measuredangle sphericalangle bigstar diagup diagdown eth digamma
amssymb: varkappa
amssymb: Vdash vDash Vvdash nvdash nvDash between pitchfork backepsilon thickapprox approxeq gtrless lessgtr gtreqless boxplus
amssymb: boxminus boxtimes boxdot
amsthm: theoremstyle newtheoremstyle qedhere qedsymbol swapnumbers qed
mathtools: coloneqq eqqcolon DeclarePairedDelimiter prescript mathclap mathllap mathrlap underbracket overbracket vcentcolon
mathtools: xleftrightarrow MoveEqLeft
mathtools: shortintertext DeclarePairedDelimiterX adjustlimits cramped xhookrightarrow coloneq dblcolon Coloneqq
bm: bm hm
mathrsfs: mathscr
dsfont: mathds
bbm: mathbbm
physics: qty abs norm dv pdv ket bra braket dd vb va vu grad curl Tr tr order eval comm expval mel ketbra dyad
braket: Braket Set Bra Ket set
mathdots: iddots
minitoc: dominitoc minitoc dominilof dominilot dosecttoc secttoc minilof minilot
cancel: cancel bcancel xcancel cancelto
stmaryrd: llbracket rrbracket shortrightarrow mapsfrom boxslash lightning bigsqcap sslash
graphicx: includegraphics graphicspath rotatebox scalebox resizebox reflectbox DeclareGraphicsExtensions
xcolor: color textcolor definecolor colorbox fcolorbox pagecolor colorlet
booktabs: toprule midrule bottomrule cmidrule addlinespace specialrule
multirow: multirow
makecell: makecell thead Xhline Xcline diaghead theadfont multirowcell
diagbox: diagbox
array: newcolumntype arraybackslash
colortbl: rowcolor cellcolor columncolor arrayrulecolor
hhline: hhline
arydshln: hdashline cdashline
tabularx: tabularxcolumn
threeparttable: tnote
url: url path
hyperref: href hyperref hypersetup nolinkurl autoref nameref hyperlink hypertarget phantomsection texorpdfstring pdfbookmark url
hyperref: Autoref hyperpage
cleveref: cref Cref crefrange Crefrange crefname Crefname labelcref cpageref
natbib: citep citet citeauthor citeyear citealt citealp Citet Citep citeyearpar bibpunct setcitestyle Citeauthor bibsep
biblatex: printbibliography addbibresource textcite parencite autocite footcite fullcite cites parencites Textcite
biblatex: DeclareFieldFormat smartcite
algpseudocode: State Require Ensure Procedure EndProcedure Function EndFunction While EndWhile If EndIf ElsIf Else For EndFor
algpseudocode: ForAll Repeat Until
algpseudocode: Return Comment Call Loop EndLoop Statex
algorithmic: STATE REQUIRE ENSURE IF ENDIF ELSE ELSIF FOR ENDFOR FORALL WHILE ENDWHILE REPEAT UNTIL RETURN COMMENT PRINT TO AND OR
algorithmic: NOT TRUE FALSE
algorithm2e: KwIn KwOut KwData KwResult KwRet KwTo SetAlgoLined DontPrintSemicolon SetKwInOut SetKwFunction tcp tcc LinesNumbered
algorithm2e: SetKwInput SetKw
algorithm: listofalgorithms
listings: lstset lstinline lstinputlisting lstdefinestyle lstdefinelanguage lstlistoflistings
minted: mint mintinline inputminted setminted usemintedstyle newminted
fancyhdr: fancyhead fancyfoot fancyhf lhead chead rhead lfoot cfoot rfoot fancypagestyle
geometry: geometry newgeometry restoregeometry
setspace: doublespacing onehalfspacing singlespacing setstretch
enumitem: setlist newlist setlistdepth setenumerate setitemize
caption: captionof captionsetup caption* DeclareCaptionFormat DeclareCaptionLabelFormat DeclareCaptionFont ContinuedFloat
subcaption: subcaptionbox subref phantomsubcaption subcaption
subfig: subfloat
subfigure: subfigure
float: newfloat floatstyle restylefloat floatname
placeins: FloatBarrier
wrapfig: wrapfigure
rotating: turnbox
pdflscape: landscape
lscape: landscape
pdfpages: includepdf includepdfmerge
tikz: tikz usetikzlibrary tikzset draw node path fill filldraw shade clip coordinate foreach pgfmathsetmacro tikzstyle usepgflibrary
pgfplots: pgfplotsset addplot addlegendentry usepgfplotslibrary
pgfplotstable: pgfplotstabletypeset pgfplotstableread
circuitikz: ctikzset
tcolorbox: tcbset newtcolorbox tcbox tcbuselibrary newtcbox newtcblisting
mdframed: mdfsetup newmdenv mdfdefinestyle
siunitx: SI si num qty unit sisetup ang SIrange numrange qtyrange DeclareSIUnit tablenum qtyproduct numproduct SIlist
mhchem: ce cee
chemfig: chemfig schemestart
chemformula: ch
textcomp: textdegree textmu textohm textonehalf textregistered texttrademark textcelsius textperthousand
gensymb: degree celsius ohm perthousand micro
eurosym: euro EUR officialeuro
wasysym: smiley frownie male female permil diameter CheckedBox Square XBox
marvosym: EUR Letter Mobilefone Telefon Info Email Mundus
pifont: ding dingline dingfill Pisymbol
fontawesome5: faIcon faGithub faEnvelope faPhone faLinkedin faMapMarker faGlobe faHome faTwitter faOrcid faUniversity faBook faCode
fontspec: setmainfont setsansfont setmonofont newfontfamily fontspec addfontfeature addfontfeatures defaultfontfeatures newfontface
unicode-math: setmathfont symbf symbfit symup symit symcal symbb symsf symrm symfrak unimathsetup
xeCJK: setCJKmainfont setCJKsansfont setCJKmonofont CJKfontspec
babel: selectlanguage foreignlanguage babelprovide babelfont
csquotes: enquote blockquote textquote foreignquote MakeOuterQuote textelp
ulem: uline sout uwave uuline xout dashuline
soul: ul st hl so caps setul sethlcolor
lipsum: lipsum setlipsum
blindtext: blindtext Blindtext blinddocument blinditemize Blinddocument blindmathpaper
xspace: xspace
xparse: NewDocumentCommand
etoolbox: ifdefempty ifstrempty patchcmd apptocmd pretocmd AtBeginEnvironment AfterEndEnvironment newtoggle toggletrue iftoggle
etoolbox: ifdef newbool ifboolexpr
etoolbox: ifblank notblank ifdefstring robustify appto preto BeforeBeginEnvironment AtEndPreamble DeclareListParser
ifthen: ifthenelse equal isodd whiledo newboolean setboolean lengthtest boolean
calc: widthof heightof depthof settototalheight
changepage: checkoddpage strictpagecheck
titlesec: titleformat titlespacing titlelabel titlerule titleclass newpagestyle
tocloft: cftsetindents cftsecleader cftdotfill listofX newlistof cftsecfont
tocbibind: tocsection tocchapter
appendix: appendixpage appendixname addappheadtotoc
multicol: columnbreak
ragged2e: RaggedRight Centering RaggedLeft justifying justify
microtype: microtypesetup textls lsstyle DisableLigatures
nicefrac: nicefrac
units: unitfrac
xfrac: sfrac
epigraph: epigraph epigraphhead
lettrine: lettrine
todonotes: todo missingfigure listoftodos
authblk: affil Authfont Affilfont
glossaries: gls Gls glspl Glspl newglossaryentry newacronym printglossaries makeglossaries printglossary acrshort acrlong acrfull
glossaries: glsdesc
acronym: ac acs acl acf acp acro acused acfi
imakeidx: indexsetup
makeidx: printindex
nomencl: nomenclature printnomenclature makenomenclature
bbding: Checkmark XSolidBrush
rotating: turn
adjustbox: adjustbox
lastpage: LastPage
pgf: pgfimage
animate: animategraphics
media9: includemedia
qtree: Tree
forest: Forest
tipa: textipa tipaencoding
textgreek: textalpha textbeta textgamma
upgreek: upmu upalpha upbeta upgamma uppi
gb4e: ex exi
dirtytalk: say
xurl: xurl
academicons: aiOrcid aiGoogleScholar
moresize: HUGE ssmall
relsize: smaller larger relsize textsmaller textlarger mathlarger
fancyvrb: VerbatimInput Verb fvset RecustomVerbatimEnvironment VerbatimFootnotes
verbatim: verbatiminput
moreverb: verbatimtabinput
framed: definecolorshade
cases: numcases
empheq: empheqlbrace
tensor: tensor indices
slashed: slashed
feynmp: fmf
esint: oiint varointclockwise fint
pgfgantt: ganttbar gantttitle ganttgroup ganttlink
subfiles: subfile
standalone: includestandalone
import: subimport import
svg: includesvg
spverbatim: spverb
seqsplit: seqsplit
accents: accentset underaccent
datetime2: DTMdisplaydate DTMnow DTMsetdatestyle
pgfornament: pgfornament
hologo: hologo
extarrows: xlongequal xLongleftarrow
setspace: setdisplayskipstretch
contour: contour
fixmath: mathbold
ifpdf: ifpdf
iftex: ifPDFTeX ifXeTeX ifLuaTeX
xstring: IfStrEq StrSubstitute StrLen IfSubStr
comment: includecomment excludecomment
"""

_ENVIRONMENTS = r"""
amsmath: align align* alignat alignat* aligned alignedat gather gather* gathered multline multline* split cases matrix pmatrix
amsmath: bmatrix Bmatrix
amsmath: vmatrix Vmatrix smallmatrix subequations flalign flalign* equation* subarray
mathtools: dcases dcases* rcases multlined psmallmatrix bsmallmatrix pmatrix* bmatrix* vmatrix*
amsthm: proof
tabularx: tabularx
longtable: longtable
supertabular: supertabular
xltabular: xltabular
tabulary: tabulary
tabularray: tblr longtblr talltblr
threeparttable: threeparttable tablenotes measuredfigure
tikz: tikzpicture scope pgfonlayer
pgfplots: axis semilogxaxis semilogyaxis loglogaxis groupplot
circuitikz: circuitikz
tikz-cd: tikzcd
algorithm: algorithm
algpseudocode: algorithmic
algorithm2e: algorithm2e procedure function
listings: lstlisting
minted: minted
fancyvrb: Verbatim BVerbatim LVerbatim
comment: comment
multicol: multicols multicols*
subcaption: subfigure subtable
subfig: subfloat
wrapfig: wrapfigure wraptable
rotating: sidewaysfigure sidewaystable sidewaysfigure* sidewaystable* sideways turn
pdflscape: landscape
adjustbox: adjustbox
changepage: adjustwidth
tcolorbox: tcolorbox tcblisting
mdframed: mdframed
framed: framed shaded leftbar snugshade oframed
setspace: spacing doublespace onehalfspace singlespace
spacing: spacing
enumitem: enumerate*
paralist: compactitem compactenum inparaenum compactdesc asparaenum
acronym: acronym
appendix: appendices subappendices
csquotes: displayquote
empheq: empheq
cases: numcases subnumcases
float: H
minipage: minipage
filecontents: filecontents
CJKutf8: CJK CJK*
multirow: multirow
pgfgantt: ganttchart
forest: forest
lscape: landscape
ragged2e: FlushLeft FlushRight Center justify
subfiles: subfile
nicematrix: NiceTabular pNiceMatrix bNiceMatrix NiceArray NiceMatrix NiceTabularX
bytefield: bytefield
verse: verse
abstract: onecolabstract
sidecap: SCfigure SCtable
floatrow: floatrow
thmtools: restatable
blindtext: blindtext
gb4e: exe xlist
"""

_COMMON = """
hyperref graphicx amsmath amssymb xcolor geometry babel inputenc fontenc amsfonts amsthm tikz booktabs array url color
natbib float caption multirow subcaption enumitem listings fancyhdr mathtools cleveref longtable setspace titlesec
microtype biblatex siunitx tabularx bm lmodern textcomp graphics algorithm algorithmic algpseudocode algorithm2e
subfigure subfig times cite epstopdf xspace multicol wrapfig csquotes fontspec parskip verbatim etoolbox pgfplots
latexsym mathrsfs cancel lipsum ulem makeidx ifthen calc colortbl lscape pdflscape rotating appendix tcolorbox
mdframed framed physics braket dsfont bbm stmaryrd soul fancyvrb minted adjustbox makecell threeparttable hhline
diagbox placeins todonotes glossaries acronym nomencl authblk comment pdfpages blindtext xparse unicode-math
polyglossia xeCJK ctex CJKutf8 mhchem chemfig circuitikz tikz-cd pifont wasysym marvosym fontawesome5 fontawesome
eurosym gensymb units nicefrac lettrine epigraph ragged2e changepage relsize moresize paralist enumerate tabulary
supertabular amscd xy esint upgreek tensor slashed dcolumn lineno imakeidx bookmark nameref ifpdf ifxetex xstring
thmtools empheq cases accents pgf tocloft mathptmx palatino helvet courier mathpazo charter newtxtext newtxmath
libertine tipa textgreek forest qtree gb4e standalone subfiles import svg listingsutf8 needspace afterpage lastpage
datetime2 sectsty fullpage a4wide anysize indentfirst footmisc footnote xltabular tabularray nicematrix arydshln
bigstrut rotfloat sidecap floatrow threeparttablex pstricks pst-node pst-plot auto-pst-pdf animate media9 pgfgantt
tablefootnote xurl breakurl
"""


def _table(text: str, mark: str) -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for line in text.strip().splitlines():
        package, names = line.split(": ", 1)
        for name in names.split():
            table[mark + name] = (*table.get(mark + name, ()), package)
    return table


COMMANDS = _table(_COMMANDS, "\\")
"""Command, with its backslash -> the packages that people mean by it, likeliest first."""
ENVIRONMENTS = _table(_ENVIRONMENTS, "")
COMMON = {name: rank for rank, name in enumerate(dict.fromkeys(_COMMON.split()))}
"""Rank of the packages that most documents use, 0 the commonest."""

WRITTEN = frozenset(
    "\\" + name
    for name in """
section subsection subsubsection paragraph subparagraph chapter part textbf textit texttt textsc textsf textrm textsl
emph underline caption label ref eqref pageref cite citep citet footnote footnotetext footnotemark item begin end
includegraphics centering maketitle tableofcontents listoffigures listoftables author date title thanks today
usepackage documentclass newcommand renewcommand providecommand newenvironment newtheorem input include bibliography
bibliographystyle bibitem appendix abstract noindent indent newline newpage clearpage cleardoublepage pagebreak
linebreak hline cline toprule midrule bottomrule cmidrule multicolumn multirow vspace hspace vfill hfill quad qquad
smallskip medskip bigskip small footnotesize scriptsize tiny normalsize large Large LARGE huge Huge bfseries itshape
ttfamily sffamily rmfamily scshape upshape mdseries raggedright raggedleft frac dfrac tfrac sqrt sum prod int iint
oint lim limsup liminf sup inf max min sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln exp det dim
ker gcd deg hom arg Pr alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi
varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi
Psi Omega times div cdot pm mp ast star circ bullet oplus ominus otimes oslash odot leq geq neq le ge ne ll gg approx
equiv sim simeq cong propto subset supset subseteq supseteq in ni notin cup cap setminus emptyset forall exists neg
land lor to gets mapsto rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow longrightarrow uparrow
downarrow iff implies infty partial nabla hbar ell Re Im aleph angle prime left right big Big bigg Bigg bigl bigr
lfloor rfloor lceil rceil langle rangle mid parallel perp vdash models dots ldots cdots vdots ddots hat bar tilde vec
dot ddot overline underbrace overbrace widehat widetilde mathbf mathrm mathit mathcal mathsf mathtt mathbb mathfrak
boldsymbol text mbox fbox parbox makebox framebox href url hyperref autoref cref hypersetup color textcolor colorbox
definecolor rule hrule verb lstinline lstset tikz draw node fill path coordinate usetikzlibrary setlength addtolength
setcounter addtocounter arabic roman Roman alph Alph thepage pagestyle thispagestyle pagenumbering textwidth linewidth
columnwidth textheight printbibliography addbibresource nonumber notag tag intertext operatorname DeclareMathOperator
SI si num qty unit gls ac acrshort newacronym todo marginpar index frametitle framesubtitle pause only onslide uncover
alert institute titlepage usetheme LaTeX TeX copyright dag ddag textbackslash textasciitilde textasciicircum
textendash textemdash footnoterule leavevmode par hskip vskip kern
""".split()
)
"""Commands that authors write every day, with backslash: a slip in a name most likely meant one of them."""

r"""Commands that stand for one character or word, so that `\alpha` and α, `\'e` and é count as the same content."""

from __future__ import annotations

import unicodedata

from texmend.tex.names import names

_GREEK = names("""alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi
    psi omega""")
_TABLE = r"""
∑ sum|∏ prod|∐ coprod|∫ int|∮ oint|∬ iint|∭ iiint|√ sqrt surd|∞ infty|∂ partial|∇ nabla|ℏ hbar hslash|ℓ ell|ℜ Re|ℑ Im|ℵ aleph
∅ emptyset varnothing|± pm|∓ mp|× times texttimes|÷ div textdiv|⋅ cdot|∗ ast|⋆ star|∘ circ|∙ bullet textbullet|⊕ oplus
⊗ otimes|⊙ odot|⊖ ominus|∧ wedge land|∨ vee lor|∩ cap|∪ cup|⋂ bigcap|⋃ bigcup|⊎ uplus|∖ setminus|≀ wr|† dagger dag textdagger
‡ ddagger ddag|⋄ diamond|△ triangle|¬ neg lnot textlnot|≤ leq le leqslant|≥ geq ge geqslant|≠ neq ne|≡ equiv|∼ sim|≃ simeq
≈ approx|≅ cong|∝ propto|≪ ll|≫ gg|≺ prec|≻ succ|⪯ preceq|⪰ succeq|≐ doteq|⊂ subset|⊃ supset|⊆ subseteq|⊇ supseteq|∈ in|∋ ni
∉ notin|⊢ vdash|⊣ dashv|⊨ models|⊥ perp bot|⊤ top|∥ parallel|∣ mid|∀ forall|∃ exists|∠ angle|→ to rightarrow textrightarrow
← leftarrow gets textleftarrow|↔ leftrightarrow|⇒ Rightarrow|⇐ Leftarrow|⇔ Leftrightarrow|↦ mapsto|↑ uparrow|↓ downarrow
⟹ Longrightarrow implies|⟸ Longleftarrow impliedby|⟺ Longleftrightarrow iff|⟶ longrightarrow|⟵ longleftarrow|⟼ longmapsto
↗ nearrow|↘ searrow|⇑ Uparrow|⇓ Downarrow|ß ss|ø o|Ø O|æ ae|Æ AE|œ oe|Œ OE|å aa|Å AA|ł l|Ł L|ı i|ȷ j|ð dh|Ð DH|þ th|Þ TH|đ dj
Đ DJ|ŋ ng|€ euro texteuro EUR|£ pounds textsterling|¥ yen textyen|¢ textcent|§ S textsection|¶ P textparagraph
© copyright textcopyright|® textregistered circledR|™ texttrademark|° degree textdegree|µ textmu micro|Ω ohm textohm
‰ perthousand textperthousand|✓ checkmark|♥ heartsuit|♦ diamondsuit|♣ clubsuit|♠ spadesuit|% %|$ $ textdollar
_ _ textunderscore|^ textasciicircum|< textless lt|> textgreater gt|… ldots dots textellipsis cdots dotsc dotsb
□ square Box qed|■ blacksquare|∴ therefore|∵ because|′ prime|⌊ lfloor|⌋ rfloor|⌈ lceil|⌉ rceil|⟨ langle|⟩ rangle
· textperiodcentered
"""
_WORDS = names("""sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln lg exp min max sup inf lim limsup liminf
    det dim ker hom arg deg gcd Pr mod bmod pmod LaTeX TeX LaTeXe BibTeX XeTeX LuaTeX today""")
_STRUCTURE = {
    **dict.fromkeys(names("frac dfrac tfrac cfrac over"), "⁄frac"),
    **dict.fromkeys(names("binom dbinom tbinom choose"), "⁄binom"),
    **{name: "⁄" + name for name in names("stackrel overset underset overbrace underbrace")},
    **dict.fromkeys(("hat", "widehat"), "⁄hat"),
    **dict.fromkeys(("tilde", "widetilde"), "⁄tilde"),
    **dict.fromkeys(("bar", "overline"), "⁄bar"),
    **{name: "⁄" + name for name in names("vec dot ddot acute grave breve check")},
}
"""Commands that build mathematics: counted as a symbol of their own."""


def _symbols() -> dict[str, str]:
    table = {"\\" + name: part.split()[0] for part in _TABLE.replace("\n", "|").split("|") if part for name in part.split()[1:]}
    for name in _GREEK:
        letter = unicodedata.lookup(f"GREEK SMALL LETTER {_greek_name(name)}")
        table["\\" + name] = table["\\var" + name] = table["\\text" + name] = table["\\up" + name] = letter
        table["\\" + name.capitalize()] = table["\\var" + name.capitalize()] = letter.upper()
    table |= {"\\" + name: f" {name} " for name in _WORDS}
    return table


def _greek_name(name: str) -> str:
    return "LAMDA" if name == "lambda" else name.upper()


SYMBOLS = _symbols()
"""Command with its backslash to the character or word it stands for."""
STRUCTURE = {"\\" + name: mark[1:] for name, mark in _STRUCTURE.items()}
ACCENTS = {
    "\\`": "\u0300",
    "\\'": "\u0301",
    "\\^": "\u0302",
    '\\"': "\u0308",
    "\\~": "\u0303",
    "\\=": "\u0304",
    "\\.": "\u0307",
    "\\u": "\u0306",
    "\\v": "\u030c",
    "\\H": "\u030b",
    "\\c": "\u0327",
    "\\d": "\u0323",
    "\\b": "\u0331",
    "\\k": "\u0328",
    "\\r": "\u030a",
    "\\t": "\u0361",
}
"""Accent commands to the combining character that follows the letter."""

"""Characters and what LaTeX writes for them (Unicode's names; the usual commands of mathematics, text companion and pifont)."""

from __future__ import annotations

_PAIRS = r"""
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν
nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ
Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≃
simeq ≅ cong ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ⩽ leqslant ⩾ geqslant ≲ lesssim ≳ gtrsim ≐ doteq ∈ in ∉ notin ∋ ni ⊂
subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊊ subsetneq ⊋ supsetneq ∪ cup ∩ cap ∖ setminus ∅ emptyset ⊔ sqcup ⊓ sqcap ⊎
uplus ∀ forall ∃ exists ∄ nexists ¬ neg ∧ wedge ∨ vee ⊕ oplus ⊗ otimes ⊖ ominus ⊙ odot ⊥ bot ⊤ top ⊢ vdash ⊣ dashv ⊨
models ∴ therefore ∵ because → rightarrow ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↑
uparrow ↓ downarrow ↕ updownarrow ⇑ Uparrow ⇓ Downarrow ↦ mapsto ⟶ longrightarrow ⟵ longleftarrow ⟹ Longrightarrow ⟸
Longleftarrow ⟺ Longleftrightarrow ⟼ longmapsto ↗ nearrow ↘ searrow ↖ nwarrow ↙ swarrow ⇌ rightleftharpoons ↪
hookrightarrow ↩ hookleftarrow ⇀ rightharpoonup ⟷ longleftrightarrow ➔ rightarrow ➜ rightarrow ⭢ rightarrow ∞ infty ∂
partial ∇ nabla ∫ int ∬ iint ∮ oint ∑ sum ∏ prod ∐ coprod √ sqrt{} ∓ mp ∗ ast ⋆ star ∘ circ ∙ bullet ⋅ cdot ⋯ cdots ⋮
vdots ⋱ ddots ℓ ell ℏ hbar ℜ Re ℑ Im ℵ aleph ℘ wp ∠ angle △ triangle □ square ■ blacksquare ▲ blacktriangle ◇ diamond
◦ circ ∥ parallel ∣ mid ∤ nmid ′ prime ⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ Vert ★
star ☆ star ♯ sharp ♭ flat ♮ natural ● bullet ○ circ † dagger ‡ ddagger ± pm × times ÷ div · cdot
"""
_LETTERS = {"ℝ": "R", "ℂ": "C", "ℕ": "N", "ℤ": "Z", "ℚ": "Q", "ℙ": "P", "𝔼": "E", "𝔽": "F", "𝟙": "1", "𝕂": "K", "ℍ": "H"}
_CALLIGRAPHIC = {
    "ℒ": "L",
    "ℋ": "H",
    "ℱ": "F",
    "ℬ": "B",
    "ℛ": "R",
    "ℳ": "M",
    "ℰ": "E",
    "𝒪": "O",
    "𝒩": "N",
    "𝒢": "G",
    "𝒟": "D",
    "𝒞": "C",
    "𝒜": "A",
    "𝒮": "S",
    "𝒯": "T",
    "𝒫": "P",
}
_UP = dict(zip("⁰⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ¹²³", "0456789+-=()ni123", strict=True))
_DOWN = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼ", "0123456789+-=()aeoxhklmnpstij", strict=True))


def _pairs() -> dict[str, str]:
    words = _PAIRS.split()
    return {words[i]: "\\" + words[i + 1] for i in range(0, len(words), 2)}


MATH = {
    **_pairs(),
    **{c: f"\\mathbb{{{x}}}" for c, x in _LETTERS.items()},
    **{c: f"\\mathcal{{{x}}}" for c, x in _CALLIGRAPHIC.items()},
    **{c: f"^{{{x}}}" for c, x in _UP.items()},
    **{c: f"_{{{x}}}" for c, x in _DOWN.items()},
    "−": "-",
    "∕": "/",
    "∶": ":",
    "µ": r"\mu",
    "∆": r"\Delta",
    "Ω": r"\Omega",
    "≔": ":=",
    "⊲": r"\triangleleft",
    "½": r"\frac{1}{2}",
    **{
        c: f"\\frac{{{a}}}{{{b}}}"
        for c, a, b in ("⅓13", "⅔23", "⅕15", "⅖25", "⅗35", "⅘45", "⅙16", "⅚56", "⅛18", "⅜38", "⅝58", "⅞78")
    },
}
"""What stands for a character in mathematics."""
PIFONT = {
    **dict.fromkeys("✓✔✅☑", r"\ding{51}"),
    **dict.fromkeys("✗✘❌✕✖❎☒", r"\ding{55}"),
    "★": r"\ding{72}",
    "⭐": r"\ding{72}",
    "☆": r"\ding{73}",
    "➤": r"\ding{228}",
    "➡": r"\ding{220}",
    "☎": r"\ding{37}",
    "✉": r"\ding{41}",
    "✏": r"\ding{46}",
    "❤": r"\ding{170}",
    "♥": r"\ding{170}",
}
for _n, _c in enumerate("①②③④⑤⑥⑦⑧⑨⑩"):
    PIFONT[_c] = rf"\ding{{{172 + _n}}}"
for _c in PIFONT:
    MATH.pop(_c, None)
MATH.update(
    {
        "☐": r"\square",
        "☒": r"\boxtimes",
        "⇄": r"\rightleftarrows",
        "⊲": r"\triangleleft",
        "⟂": r"\perp",
        "≜": r"\triangleq",
        "≝": ":=",
        "⌊": r"\lfloor",
    }
)
TEXT = {
    "‐": "-",
    "‑": "-",
    "‒": "--",
    "―": "---",
    "′": "'",
    "″": "''",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬀ": "ff",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "‛": "`",
    "‟": "``",
    "…": r"\ldots{}",
    "，": ", ",
    "。": ". ",
    "：": ": ",
    "；": "; ",
    "（": " (",
    "）": ") ",
    "！": "! ",
    "？": "? ",
    "、": ", ",
    "「": "``",
    "」": "''",
    "【": "[",
    "】": "]",
    "％": r"\%",
    "～": r"\textasciitilde{}",
    "№": r"\textnumero{}",
    "‰": r"\textperthousand{}",
    "℃": r"\textcelsius{}",
    "℉": r"\textdegree{}F",
    "Ω": r"\textohm{}",
    "€": r"\texteuro{}",
    "™": r"\texttrademark{}",
    "®": r"\textregistered{}",
    "¤": r"\textcurrency{}",
    "␣": r"\textvisiblespace{}",
    "■": r"\rule{1ex}{1ex}",
    "▪": r"\textbullet{}",
    "•": r"\textbullet{}",
    "●": r"\textbullet{}",
    "◦": r"\textopenbullet{}",
    "–": "--",
    "—": "---",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "„": ",,",
    "«": "<<",
    "»": ">>",
    "§": r"\S{}",
    "¶": r"\P{}",
    "°": r"\textdegree{}",
    "·": r"\textperiodcentered{}",
    "ı": r"\i{}",
    "ȷ": r"\j{}",
    "ſ": "s",
}
"""What stands for a character in running text."""
_IPA = r"""
ˈ textprimstress ˌ textsecstress ː textlengthmark ə textschwa ɪ textsci ʃ textesh ʒ textyogh ʊ textupsilon ɔ textopeno
ɛ textepsilon ʔ textglotstop ɑ textscripta ɒ textturnscripta ʌ textturnv ɹ textturnr ɾ textfishhookr ɣ textgamma ɲ textltailn
ʎ textturny
ɜ textrevepsilon ɐ textturna ʁ textinvscr ɨ textbari ʉ textbaru ɯ textturnm ɕ textctc ʑ textctz ʂ textrtails ʈ textrtailt
ɖ textrtaild ɳ textrtailn ɭ textrtaill ɸ textphi ɫ textltilde ʀ textscr ɘ textreve ɵ textbaro ʏ textscy ɢ textscg ʕ textrevglotstop
"""
IPA = dict(zip(_IPA.split()[::2], (f"\\{n}{{}}" for n in _IPA.split()[1::2]), strict=True))
"""Letters of the phonetic alphabet, of the package tipa (its manual, appendix A)."""
WASYSYM = {
    "☎": r"\phone{}",
    "♩": r"\quarternote{}",
    "♪": r"\eighthnote{}",
    "♫": r"\twonotes{}",
    "♀": r"\female{}",
    "♂": r"\male{}",
    "☀": r"\sun{}",
    "☺": r"\smiley{}",
    "☹": r"\frownie{}",
    "🕐": r"\clock{}",
}
"""Signs of the package wasysym."""
LISTING = {
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "–": "-",
    "—": "-",
    "…": "...",
    "−": "-",
    "→": "->",
    "←": "<-",
    "⇒": "=>",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "x",
    "•": "*",
    "\u00a0": " ",
    "\u2009": " ",
    "✓": "v",
    "│": "|",
    "─": "-",
    "├": "+",
    "└": "+",
    "‐": "-",
    "‑": "-",
    "′": "'",
    "«": "<<",
    "»": ">>",
    "°": " deg",
    "µ": "u",
}
"""What code has instead, where a listing cannot take the character."""

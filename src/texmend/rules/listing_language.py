r"""A language that listings does not have: it is defined in the preamble as a language without key words (or as its
near relative)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, put_in_preamble
from texmend.rules.text import masked

_KNOWN = frozenset(
    """abap acm acmscript acsl ada algol ant assembler awk bash basic c c++ caml cil clean cobol comal command comsol csh
        delphi eiffel elan elisp erlang euphoria
    fortran gap gcl gnuplot go hansl haskell html idl inform java jvmis ksh lingo lisp llvm logo lua make mathematica
        matlab mercury metapost miranda mizar ml
    modula-2 mupad nastran oberon-2 ocl octave oorexx oz pascal perl php pl/i plasm postscript pov prolog promela
        pstricks python r reduce rexx rsl ruby s sas
    scala scilab sh shelxl simula sparql sql swift tcl tex vbscript verilog vhdl vrml xml xslt csh s promela""".split()
)
_WORDS = {
    "javascript": "break,case,catch,class,const,continue,default,delete,do,else,export,extends,false,finally,for,"
    "function,if,import,in,instanceof,let,new,null,"
    "of,return,static,super,switch,this,throw,true,try,typeof,undefined,var,void,while,yield,async,await",
    "typescript": "abstract,any,as,break,case,catch,class,const,continue,default,do,else,enum,export,extends,false,"
    "for,function,if,implements,import,in,interface,"
    "let,new,null,number,of,private,public,readonly,return,static,string,super,switch,this,throw,"
    "true,try,type,undefined,var,void,while,async,await,boolean",
    "rust": "as,break,const,continue,crate,else,enum,extern,false,fn,for,if,impl,in,let,loop,match,mod,move,"
    "mut,pub,ref,return,self,Self,static,struct,super,trait,"
    "true,type,unsafe,use,where,while,async,await,dyn",
    "kotlin": "as,break,class,continue,do,else,false,for,fun,if,in,interface,is,null,object,package,return,"
    "super,this,throw,true,try,typealias,val,var,when,while",
    "csharp": "abstract,as,base,bool,break,case,catch,class,const,continue,default,do,else,enum,false,for,"
    "foreach,if,in,int,interface,internal,is,namespace,new,"
    "null,object,out,override,private,protected,public,readonly,ref,return,static,string,struct,"
    "switch,this,throw,true,try,using,var,void,while,async,await",
}
_SAME = {"js": "javascript", "ts": "typescript", "c#": "csharp", "rs": "rust"}
_COMMENTS = {
    "yaml": "[l]{\\#}",
    "toml": "[l]{\\#}",
    "dockerfile": "[l]{\\#}",
    "julia": "[l]{\\#}",
    "ini": "[l]{;}",
    "elixir": "[l]{\\#}",
    "powershell": "[l]{\\#}",
    "cmake": "[l]{\\#}",
    "nix": "[l]{\\#}",
    "graphql": "[l]{\\#}",
}
_USE = re.compile(r"language\s*=\s*(?:\{\s*)?(?:\[[^\]]*\]\s*)?([A-Za-z][\w+#/ .-]*?)\s*(?=[,\]}])")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or "listings" not in loaded(scene) or "language" not in d.message:
        return
    text = "\n".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    defined = {n.strip().lower() for n in re.findall(r"\\lst(?:define|alias)[a-z]*\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}", text)}
    names = dict.fromkeys(n.strip() for n in _USE.findall(text))
    missing = [n for n in names if n.lower() not in _KNOWN | defined]
    if missing:
        lines = "\n".join(
            _definition(n) for n in dict.fromkeys(n.lower() for n in missing) for n in [next(m for m in missing if m.lower() == n)]
        )
        yield Fix(tuple(put_in_preamble(scene, lines)), f"listings has no language {', '.join(missing)}: it is defined")


def _definition(name: str) -> str:
    key = _SAME.get(name.lower(), name.lower())
    parts = []
    if key in _WORDS:
        parts += [f"morekeywords={{{_WORDS[key]}}}", "morecomment=[l]{//}", "morecomment=[s]{/*}{*/}"]
    elif key in _COMMENTS:
        parts.append(f"morecomment={_COMMENTS[key]}")
    parts += ['morestring=[b]"', "morestring=[b]'"] if key != "json" else ['morestring=[b]"']
    return f"\\lstdefinelanguage{{{name}}}{{\n  " + ",\n  ".join(parts) + "\n}"


_DOC = (
    "\\documentclass{article}\n\\usepackage{listings}\n%s\\begin{document}\n\\begin{lstlisting}[langu"
    "age=%s]\na: 1\n\\end{lstlisting}\n\\end{document}\n"
)
_SAID = "Package Listings Error: Couldn't load requested language."
RULE = Rule(
    name="listing-language",
    summary="A language that listings does not have is defined, with its key words and comments where they are well known.",
    kinds=frozenset((Kind.PACKAGE_ERROR, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "JSON",
            _DOC % ("", "json"),
            _DOC % ('\\lstdefinelanguage{json}{\n  morestring=[b]"\n}\n', "json"),
            kind=Kind.PACKAGE_ERROR,
            message=_SAID,
        ),
        Case("a known one", _DOC % ("", "Python"), None, kind=Kind.PACKAGE_ERROR, message=_SAID),
    ),
)

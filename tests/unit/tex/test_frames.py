import pytest

from texmend.tex.frames import reads_for_ever

LISTING = "\\begin{lstlisting}\nx\n\\end{lstlisting}\n"


@pytest.mark.parametrize(
    ("options", "inside", "for_ever"),
    [
        ("", LISTING, True),
        ("[t]", LISTING, True),
        ("[fragile]", LISTING, False),
        ("[fragile=singleslide,t]", LISTING, False),
        ("[containsverbatim]", LISTING, False),
        ("", "Text with lstlisting.\n", False),
    ],
)
def test_a_listing_in_a_frame_that_is_not_marked(options: str, inside: str, for_ever: bool) -> None:
    text = f"\\documentclass{{beamer}}\n\\begin{{document}}\n\\begin{{frame}}{options}\n{inside}\\end{{frame}}\n{LISTING}\\end{{document}}\n"
    assert reads_for_ever(text) is for_ever

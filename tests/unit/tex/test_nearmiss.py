"""Near misses: which slips are known again, and that the distance is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.tex.nearmiss import distance, near

NAMES = ("itemize", "enumerate", "description", "center", "figure", "table", "equation")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("itemzie", "itemize"),
        ("itemiz", "itemize"),
        ("itemizze", "itemize"),
        ("Figure", "figure"),
        ("equtaion", "equation"),
        ("cenetr", "center"),
    ],
)
def test_a_slip_is_known_again(wrong: str, right: str) -> None:
    assert near(wrong, NAMES)[0] == right


@pytest.mark.parametrize("other", ["itemize", "minipage", "x", "", "tabular"])
def test_what_is_no_slip_is_not(other: str) -> None:
    assert near(other, NAMES) == ()


@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8))
def test_distance_is_symmetric_and_zero_only_for_equals(a: str, b: str) -> None:
    assert distance(a, b, 9) == distance(b, a, 9)
    assert (distance(a, b, 9) == 0) == (a == b)


@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8), st.integers(0, 3))
def test_the_bound_only_cuts_off(a: str, b: str, limit: int) -> None:
    assert distance(a, b, limit) == min(distance(a, b, 20), limit + 1)

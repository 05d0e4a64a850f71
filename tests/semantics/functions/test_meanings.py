"""Meanings at their edges, where engines differ: each value is worked out by hand from docs/functions.md."""

import math
import random
from decimal import Decimal, getcontext
from typing import Any

import pytest

from semantics.errors import ArithmeticOverflow
from semantics.functions import bits, logarithms, numbers, parts_of_text, patterns, text
from semantics.functions.patterns import is_pattern


@pytest.mark.parametrize(
    ("start", "length", "standard", "from_the_end"),
    [(1, 2, "ab", "ab"), (0, 2, "a", "ab"), (-1, 3, "a", "d"), (-3, 2, "", "bc"), (-9, 7, "", "ab"), (3, -1, "", ""), (9, 1, "", "")],
)  # fmt: skip
def test_substring_and_substr(start: int, length: int, standard: str, from_the_end: str) -> None:
    assert parts_of_text.substring("abcd", start, length) == standard
    assert parts_of_text.substr("abcd", start, length) == from_the_end


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (parts_of_text.left("abc", 0), ""),
        (parts_of_text.right("abc", -1), ""),
        (parts_of_text.right("abc", 9), "abc"),
        (parts_of_text.position("", ""), 1),
        (parts_of_text.position("a", "aa", 9), 0),
        (parts_of_text.position("a", "ba", -5), 2),
        (parts_of_text.split_part("a,b", "", 1), "a,b"),
        (parts_of_text.split_part("a,b", ",", -3), ""),
        (parts_of_text.split_part("a,b", ",", 0), None),
        (parts_of_text.overlay("abc", "xyz", 5), "abcxyz"),
        (parts_of_text.overlay("abc", "", 2, 1), "ac"),
        (text.padded_left("abc", -1), ""),
        (text.padded_left("a", 3, ""), "a"),
        (text.replaced("abc", "", "x"), "abc"),
        (text.translated("aab", "aa", "xy"), "xxb"),
        (text.initcap("o'brien 2ND"), "O'Brien 2nd"),
        (text.trimmed("\ta "), "\ta"),
        (text.trimmed("aba", ""), "aba"),
        (text.chr_(0xD800), None),
        (bits.shifted_left(1, 63), -(2**63)),
        (bits.shifted_left(1, 64), 1),
        (bits.shifted_right(-1, -1), -1),
        (numbers.rounded(0.5), 1.0),
        (numbers.rounded(-0.5), -1.0),
        (numbers.rounded(1e308, -400), 0.0),
        (numbers.rounded(1.5, 500), 1.5),
        (numbers.truncated(-1299, -2), -1200),
        (numbers.integer_quotient(7, -2), -3),
        (numbers.floor_mod(7, -3), -2),
        (numbers.sign(-0.0), 0.0),
        (logarithms.power(-8, 1 / 3), None),
        (logarithms.power(-2, 3), -8.0),
        (logarithms.power(2, 2000), math.inf),
        (logarithms.power(-2, 2001), -math.inf),
        (logarithms.power(2, -2000), 0.0),
        (logarithms.power(1e300, 1e300), math.inf),
        (logarithms.power(1e300, -1e300), 0.0),
        (logarithms.power(0.5, 1e300), 0.0),
        (logarithms.power(0.5, -1e300), math.inf),
        (logarithms.power(-1e300, 1e300 + 1), math.inf),
        (logarithms.power(0, 0), 1.0),
        (logarithms.exponential(-1e6), 0.0),
        (logarithms.exponential(math.inf), math.inf),
        (logarithms.logarithm(math.inf), math.inf),
        (logarithms.logarithm_to_base(1, 2), None),
        (logarithms.logarithm_to_base(math.inf, 2), 0.0),
        (logarithms.cube_root(-0.0), 0.0),
    ],
)
def test_edges(found: Any, expected: Any) -> None:
    assert found == expected


def test_nan_stays_nan() -> None:
    for of in (
        numbers.sign,
        numbers.rounded,
        numbers.floor,
        logarithms.exponential,
        logarithms.cube_root,
        logarithms.logarithm,
    ):
        assert math.isnan(of(math.nan))  # type: ignore[arg-type]
    assert math.isnan(logarithms.power(math.nan, 2) or 0.0)


@pytest.mark.parametrize(
    ("meaning", "arguments"),
    [(text.repeated, ("ab", 2**40)), (text.padded_left, ("", 2**40)), (text.replaced, ("a" * 2000, "a", "b" * 2000))],
)
def test_what_would_be_too_long_overflows(meaning: Any, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(ArithmeticOverflow, match="a text may have up to 1,000,000 characters"):
        meaning(*arguments)


def test_oracle_logarithms_and_powers_are_rounded_correctly() -> None:
    """No float is nearer to the value computed with 200 digits than the one that we give."""
    getcontext().prec = 200
    numbers_ = random.Random(7)
    for _ in range(60):
        x, y = numbers_.uniform(0.01, 50), numbers_.uniform(-20, 20)
        for found, exact in (
            (logarithms.logarithm(x), Decimal(x).ln()),
            (logarithms.decimal_logarithm(x), Decimal(x).log10()),
            (logarithms.exponential(y), Decimal(y).exp()),
            (logarithms.power(x, y), Decimal(x) ** Decimal(y)),
        ):
            assert found is not None
            beside = (math.nextafter(found, -math.inf), math.nextafter(found, math.inf))
            assert all(abs(Decimal(found) - exact) <= abs(Decimal(other) - exact) for other in beside)


@pytest.mark.parametrize(
    "pattern",
    ["a", "", "^a$", r"\d{2,3}?", "[^a-z_]+", "(?:ab|c)*", r"\.\$\[", "a.c", r"\bx\b", "é+", "[.]", "[^&]*", "[&|~]"],
)
def test_patterns_of_the_common_syntax(pattern: str) -> None:
    assert is_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [r"(a)\1", "(?=a)", "(?<n>a)", "(?i)a", "a++", "a**", "[[:digit:]]", "[a&&b]", "[a||b]", "(", ")", "[b-a]", r"\p{L}", r"\Aa", "a{9999}", "*a", r"\x41"],
)  # fmt: skip
def test_patterns_that_engines_read_in_different_ways_are_refused(pattern: str) -> None:
    assert not is_pattern(pattern)


def test_the_end_is_not_before_a_line_feed_and_a_dot_is_none() -> None:
    assert not patterns.regexp_like("a\n", "a$")
    assert not patterns.regexp_like("a\n", "a.")
    assert patterns.regexp_like("a$", r"a\$")
    assert patterns.regexp_like("a$", "a[$]")
    assert not patterns.regexp_like("٣", r"\d")
    assert patterns.regexp_extract("ab", "(a)|(b)", 2) is None
    assert patterns.regexp_extract("ab", "a", 1) is None

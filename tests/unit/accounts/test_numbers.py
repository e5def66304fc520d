"""Numbers from forms and addresses: only digits that fit are read, and whatever else is sent is answered as none."""

from __future__ import annotations

from hypothesis import given, strategies as st

from accounts.requests import INTEGER, KEY, whole_number


@given(st.integers(0, 10**KEY - 1))
def test_digits_are_read(number: int) -> None:
    assert whole_number(str(number), KEY) == number
    assert whole_number(str(number)) == (number if number < 10**INTEGER else None)


@given(st.text() | st.from_regex(r"\s*[-+]?[\d_]*\s*", fullmatch=True), st.integers(1, KEY))
def test_what_is_read_is_what_was_written(text: str, digits: int) -> None:
    found = whole_number(text, digits)
    assert found is None or (0 <= found < 10**digits and str(found).zfill(len(text)) == text)


@given(st.from_regex(r"[0-9]+", fullmatch=True), st.integers(1, KEY))
def test_every_text_of_few_digits_is_read(text: str, digits: int) -> None:
    assert (whole_number(text, digits) is not None) == (len(text) <= digits)

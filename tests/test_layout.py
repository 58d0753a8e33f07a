"""Tables and summaries line up; expected texts are written out by hand."""

from moo_research.layout import format_histogram, format_summary, format_table


def test_table() -> None:
    assert format_table(("name", "n"), [("one", 1), ("twelve", 12)], right=(1,)) == (
        "name     n\n------  --\none      1\ntwelve  12"
    )


def test_table_without_rows() -> None:
    assert format_table(("a", "bc"), []) == "a  bc\n-  --"


def test_summary_of_several_lines() -> None:
    assert format_summary([("a", "one\ntwo"), ("long", "three")]) == (
        "a     one\n      two\nlong  three"
    )


def test_histogram() -> None:
    assert format_histogram([1, 20, 3]) == "at guess  1   2  3\nsecrets   1  20  3"

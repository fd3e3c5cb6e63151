"""From how many rows on nothing of rows times rows is made, if it can be helped."""

HUGE = 8000  # rows of which a dense matrix takes half a gigabyte, and of which a sparse factor fills up


def is_huge(rows: int) -> bool:
    return rows > HUGE

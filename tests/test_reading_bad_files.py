"""Every deliberately bad file gets its sentence: which file, where, what stood there, what to do."""

import re

import pytest
from bad_files import bad_files

from consensus_core.errors import InputError
from consensus_core.reading import parts, read

FILES = bad_files()


@pytest.mark.parametrize("bad", FILES, ids=[f"{i:03d}-{bad.kind}" for i, bad in enumerate(FILES)])
def test_the_sentence_of_a_bad_file(bad):
    with pytest.raises(InputError) as raised:
        reading = read(bad.data, bad.name, bad.choices, **bad.limits)
        reading.features() if reading.kind == "features" else reading.ensemble()
    sentence = str(raised.value)
    for words in bad.words:
        assert words in sentence
    assert "foresaw" not in sentence  # that is for what fuzzing has not found yet
    assert sentence.startswith((bad.name, bad.name.removesuffix(".gz")))
    assert sentence.count("; ") >= 1 and sentence.endswith(".")  # what is wrong; what to do
    assert "\n" not in sentence and not re.search(r"Traceback|Errno|0x[0-9a-f]{6}|object at", sentence)


def test_there_are_enough_and_of_many_kinds():
    assert len(FILES) >= 150
    assert len({bad.kind for bad in FILES}) >= 25
    assert len({(bad.name, bad.data, bad.choices, str(bad.limits)) for bad in FILES}) == len(FILES)


@pytest.mark.parametrize("bad", FILES, ids=[str(i) for i in range(len(FILES))])
def test_listing_the_arrays_of_a_bad_file_is_safe_too(bad):
    try:
        parts(bad.data, bad.name)
    except InputError as fault:
        assert "foresaw" not in str(fault)


def test_a_path_that_is_no_file(tmp_path):
    for path, words in (
        (tmp_path / "none.csv", "no such file"),
        (tmp_path, "a folder"),
        ("nul\0byte.csv", "no such file|cannot be opened"),
        (tmp_path / ("long" * 200), "no such file|cannot be opened"),
    ):
        with pytest.raises(InputError, match=words):
            read(path)


def test_streams_that_do_not_give_bytes(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n2,1\n1,1\n")
    with (tmp_path / "a.csv").open() as file, pytest.raises(InputError, match=r"a\.csv: it was opened as text"):
        read(file)
    with (tmp_path / "a.csv").open("rb") as file:
        assert read(file).n == 3
    with pytest.raises(InputError, match="reading it failed"):
        read(file)  # closed by now
    with pytest.raises(InputError, match="'int' cannot be read as a file"):
        read(3)

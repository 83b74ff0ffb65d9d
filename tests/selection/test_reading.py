"""Candidates from files, with references, sources and samples beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from metaphrase.errors import InputError, OptionError
from metaphrase.selection import probabilities, read_candidates


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_logarithms_become_weights(tmp_path: Path) -> None:
    path = write(tmp_path, "c.tsv", "id\ttext\tlogprob\n7\ta\t-1\n7\tb\t-2\n")
    (sentence,) = read_candidates(path)
    assert sentence.name == "7"
    np.testing.assert_array_equal(sentence.weights, probabilities([-1, -2]))
    (sentence,) = read_candidates(path, equal_weights=True)
    assert sentence.weights is None


def test_what_stands_beside_goes_with_its_sentence(tmp_path: Path) -> None:
    candidates = write(tmp_path, "c.txt", "a\nb\nc\nd\n")
    references = [write(tmp_path, f"r{i}.txt", f"r{i}\ns{i}\n") for i in (1, 2)]
    sources = write(tmp_path, "q.txt", "p\nq\n")
    samples = write(tmp_path, "s.jsonl", '{"texts": ["x"], "weights": [3]}\n' * 2)
    found = list(
        read_candidates(candidates, per_sentence=2, references=references, sources=sources)
    )
    assert [one.references for one in found] == [("r1", "r2"), ("s1", "s2")]
    assert [one.source for one in found] == ["p", "q"]
    assert [one.name for one in found] == ["1", "2"]
    first, _ = read_candidates(candidates, per_sentence=2, samples=samples, samples_per_sentence=1)
    assert first.samples == ("x",)


def test_paths_are_as_good_as_their_names(tmp_path: Path) -> None:
    names = [write(tmp_path, f"{name}.txt", "a\nb\n") for name in "crs"]
    files, references, sources = map(Path, names)
    beside = {"references": [references], "sources": sources, "samples": files}
    _, second = read_candidates(files, per_sentence=1, **beside)
    assert (second.texts, second.samples) == (("b",), ("b",))
    assert (second.references, second.source) == (("b",), "b")


def test_all_probabilities_nought_are_refused_with_their_line(tmp_path: Path) -> None:
    path = write(tmp_path, "c.tsv", "id\ttext\tlogprob\n1\ta\t0\n2\tb\t-inf\n")
    with pytest.raises(InputError) as error:
        list(read_candidates(path))
    assert (error.value.code, error.value.path, error.value.line) == ("MP851", path, 3)


def test_files_that_end_too_early_or_too_late_are_named(tmp_path: Path) -> None:
    candidates = write(tmp_path, "c.txt", "a\nb\n")
    for text, ended in (("r\n", "r.txt"), ("r\ns\nt\n", "c.txt")):
        references = write(tmp_path, "r.txt", text)
        with pytest.raises(InputError, match="MP855") as error:
            list(read_candidates(candidates, per_sentence=1, references=[references]))
        assert Path(str(error.value.path)).name == ended


def test_no_file_is_no_candidates() -> None:
    with pytest.raises(OptionError, match="MP850"):
        read_candidates([])

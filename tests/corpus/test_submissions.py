"""Submissions to WMT's metrics task: layouts, how they are told apart, and round trips."""

from __future__ import annotations

import gzip
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus.formats import Head
from metaphrase.corpus.formats.submissions.checks import SubmittedScore
from metaphrase.corpus.formats.submissions.files import (
    FORMATS,
    Submission,
    read_submission,
    write_submission,
)
from metaphrase.corpus.formats.submissions.layouts import LAYOUTS

#: Lines made up by the columns of each layout; some names are the examples of the page of 2017.
FILES = {
    "wmt16-sys": "M\tcs-en\tnewstest2016\tonline-B.0\t0.5\nM\tcs-en\tnewstest2016\tuedin.3866\t-1e-3\n",
    "wmt16-seg": "M\tcs-en\tRRsegNews+newstest2016\tonline-B.0\t1\t0.50\n"
    "M\tcs-en\tRRsegNews+newstest2016\tonline-B.0\t2\t1\n",
    "wmt17-sys": "M\tde-en\tnewstest2017\tuedin-syntax.3866\t0.5\t1493196388\t1493196486\tnon-ensemble\t"
    "https://github.com/jhclark/multeval\n",
    "wmt17-seg": "M\tde-en\tnewstest2017\tA\t1\t0.5\tensemble\tno\n"
    "M\tde-en\tnewstest2017\tA\t2\t0.25\tensemble\tno\n",
    "wmt20-sys": "M\ten-de\tnewstest2020\tnewstestB2020\tOnline-A.1571\t.5\n",
    "wmt20-doc": "M\ten-de\tnewstest2020\tref\tOnline-A\tbbc.1\t.5\n"
    "M\ten-de\tnewstest2020\tref\tOnline-A\tbbc.2\t.5\n",
    "wmt20-seg": "M\ten-de\tnewstest2020\tref\tA\tbbc.1\t1\t.5\n"
    "M\ten-de\tnewstest2020\tref\tA\tbbc.1\t2\t.5\n"
    "M\ten-de\tnewstest2020\tref\tA\tbbc.2\t1\t.5\n",
    "wmt23-sys": "M\ten-de\tgeneraltest2023\tall\trefA\tGPT4-5shot\t0.7\n"
    "M\ten-de\tgeneraltest2023\tnews\trefA\tGPT4-5shot\t0.75\n",
    "wmt23-seg": "M\ten-de\tgeneraltest2023\tnews\td1\trefA\tGPT4-5shot\t1\t0.7\n"
    "M\ten-de\tgeneraltest2023\tuser\td2\trefA\tGPT4-5shot\t2\t0.7\n",
}


def record(layout: str) -> SubmittedScore:
    """A record with whatever the layout has."""
    columns = dict.fromkeys(LAYOUTS[layout].columns, "x")
    columns |= {"language_pair": "de-en", "score": "1"}
    for name, value in {"begin": "1", "end": "2", "ensemble": "ensemble"}.items():
        if name in columns:
            columns[name] = value
    segment = 1 if "segment" in columns else None
    return SubmittedScore(**{**columns, "segment": segment})


@pytest.mark.parametrize("name", FILES)
class TestLayouts:
    def test_the_layout_is_recognised_by_content_alone(self, name: str, tmp_path: Path) -> None:
        path = tmp_path / "scores.txt"
        path.write_text(FILES[name])
        submission = read_submission(path)
        assert submission.layout.name == name
        assert submission.year == 2000 + int(name[3:5])
        assert submission.level == name[-3:]
        assert submission.metrics == ("M",)

    def test_exactly_one_format_recognises_it(self, name: str) -> None:
        head = Head("scores.txt", tuple(FILES[name].splitlines()))
        assert [form.name for form in FORMATS if form.recognises(head)] == [name]
        cut = replace(head, lines=(*head.lines, head.lines[0][:9]))
        assert [form.name for form in FORMATS if form.recognises(cut)] == [name]

    def test_bytes_come_back(self, name: str, tmp_path: Path) -> None:
        path, copy = tmp_path / "a.score", tmp_path / "b.score"
        path.write_text(FILES[name])
        form = next(form for form in FORMATS if form.name == name)
        assert form.write is not None
        form.write(form.read(path), copy)
        assert copy.read_bytes() == path.read_bytes()

    def test_gzip_and_windows_line_ends_read_the_same(self, name: str, tmp_path: Path) -> None:
        plain, packed = tmp_path / "a.score", tmp_path / "b.score.gz"
        plain.write_text(FILES[name])
        packed.write_bytes(gzip.compress(FILES[name].replace("\n", "\r\n").encode()))
        assert read_submission(plain) == read_submission(packed)
        write_submission(read_submission(plain), packed)
        assert gzip.decompress(packed.read_bytes()).decode() == FILES[name]

    def test_faults_are_found_before_anything_is_written(
        self, name: str, tmp_path: Path, refused
    ) -> None:
        path = tmp_path / "a.score"
        good = record(name)
        for code, change in (
            ("MP161", {"score": "nan"}),
            ("MP162", {"language_pair": "x"}),
            ("MP172", {"system": "a\tb"}),
            ("MP172", {"metric": "a\n"}),
            ("MP160", {"test_set": ""}),
        ):
            with refused(code, path=path, line=1):
                write_submission(Submission(LAYOUTS[name], (replace(good, **change),)), path)
        with refused("MP163", path=path, line=2):
            write_submission(Submission(LAYOUTS[name], (good, good)), path)
        with refused("MP113", path=path):
            write_submission(Submission(LAYOUTS[name], ()), path)
        assert list(tmp_path.iterdir()) == []


class TestDoubts:
    def test_a_file_name_tells_the_level(self, tmp_path: Path) -> None:
        line = "M\tde-en\tnt\tx\ty\tz\t0.5\n"
        for file, layout in (("a.sys.score", "wmt23-sys"), ("a.doc.score.gz", "wmt20-doc")):
            path = tmp_path / file
            path.write_text(line)
            assert read_submission(path).layout.name == layout

    def test_stating_the_layout_settles_it(self, tmp_path: Path, refused) -> None:
        path = tmp_path / "scores"
        path.write_text("M\tde-en\tnt\tx\ty\tz\t0.5\n")
        with refused("MP166", "--from NAME", "wmt20-doc, wmt23-sys", path=path, line=1):
            read_submission(path)
        assert read_submission(path, layout="wmt20-doc").records[0].document == "z"
        assert read_submission(path, layout="wmt23-sys").records[0].system == "z"

    @pytest.mark.parametrize("line", ["M\tde-en\tnt\tA\tNaN", "M\tgerman\tnt\tA\t1"])
    def test_a_file_with_a_fault_is_recognised_by_its_name_alone(self, line: str) -> None:
        for name, expected in (("a", []), ("a.sys.score", ["wmt16-sys"])):
            head = Head(name, (line, line))
            assert [form.name for form in FORMATS if form.recognises(head)] == expected

    def test_a_name_alone_is_no_submission(self) -> None:
        head = Head("a.sys.score", ("M\tde-en\tnt\tA",) * 2)
        assert not any(form.recognises(head) for form in FORMATS)

    def test_fields_that_the_layout_lacks_are_not_lost_silently(
        self, tmp_path: Path, refused
    ) -> None:
        path = tmp_path / "a"
        extra = replace(record("wmt16-sys"), domain="news")
        with refused("MP172", "no column", path=path, line=1):
            write_submission(Submission(LAYOUTS["wmt16-sys"], (extra,)), path)


class TestPlaces:
    def test_several_metrics_pairs_and_references_in_one_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a.sys.score"
        lines = [
            f"{m}\t{lp}\tnt\tref{r}\tA\t1\n"
            for m in "MN"
            for lp in ("de-en", "en-de")
            for r in "AB"
        ]
        path.write_text("".join(lines))
        assert read_submission(path).metrics == ("M", "N")

    def test_systems_may_be_interleaved(self, tmp_path: Path) -> None:
        """Every line says which segment it is about."""
        path = tmp_path / "a.seg.score"
        path.write_text("".join(f"M\tde-en\tnt\t{s}\t{n}\t1\n" for n in (1, 2, 3) for s in "AB"))
        assert read_submission(path).systems == ("A", "B")

    def test_segments_count_on_or_begin_anew_with_a_document(self, tmp_path: Path) -> None:
        path = tmp_path / "a.seg.score"
        for numbers in ((1, 2, 3), (1, 2, 1)):
            rows = zip(("d", "d", "e"), numbers, strict=True)
            path.write_text("".join(f"M\tde-en\tnt\tr\tA\t{d}\t{n}\t1\n" for d, n in rows))
            assert [r.segment for r in read_submission(path).records] == list(numbers)


@given(
    st.sampled_from(["wmt16-seg", "wmt17-seg", "wmt20-seg", "wmt23-seg"]),
    st.lists(st.text("aé b1|:/", min_size=1, max_size=5), min_size=1, max_size=3, unique=True),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5),
)
def test_whatever_is_written_reads_back(name: str, systems: list[str], scores: list[float]) -> None:
    records = tuple(
        replace(record(name), system=system, segment=number, score=repr(score))
        for system in systems
        for number, score in enumerate(scores, 1)
    )
    submission = Submission(LAYOUTS[name], records)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.seg.score"
        write_submission(submission, path)
        assert read_submission(path, layout=name) == submission
        # Eight and more columns are always told apart; six by the file's name.
        assert read_submission(path) == submission

"""``metaphrase select``: the best of several candidates, from any file, and nothing half-written."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import metaphrase
from cli.bundled import REFERENCE, SYSTEMS, Fails, Prints
from metaphrase.cli import main
from metaphrase.selection import Candidates, Chooser
from screen import shown

FILES = [*SYSTEMS, REFERENCE]
CHRF = ("-m", "chrf")


def run(*arguments: str | Path) -> int:
    return main([str(argument) for argument in arguments])


def lines(path: str | Path) -> list[str]:
    return Path(path).read_text("utf-8").splitlines()


def triples() -> list[tuple[str, ...]]:
    return list(zip(*map(lines, FILES), strict=True))


@pytest.fixture
def block(tmp_path: Path) -> Path:
    """The three texts of each sentence one below the other."""
    path = tmp_path / "candidates.txt"
    path.write_text("".join(f"{text}\n" for texts in triples() for text in texts), "utf-8")
    return path


@pytest.fixture
def records(prints: Prints) -> Any:
    def of(*arguments: str | Path) -> list[dict[str, Any]]:
        printed = prints("select", *arguments, "--format", "jsonl")
        return [json.loads(line) for line in printed.splitlines()]

    return of


class Stream(io.TextIOWrapper):
    """Standard input with these bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))


class TestWhatIsChosen:
    def test_it_is_what_python_chooses(self, block: Path, tmp_path: Path) -> None:
        best = tmp_path / "best.txt"
        assert run("select", block, "--per-sentence", "3", *CHRF, "-o", best) == 0
        expected = [one.text for one in metaphrase.select([list(t) for t in triples()], "chrf")]
        assert lines(best) == expected

    def test_files_of_systems_choose_as_one_file_does(self, block: Path, prints: Prints) -> None:
        one = prints("select", block, "--per-sentence", "3", *CHRF)
        assert prints("select", *FILES, *CHRF) == one

    def test_a_gzip_and_standard_input_are_files_like_others(
        self, block: Path, prints: Prints, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plain = prints("select", block, "--per-sentence", "3", *CHRF)
        packed = gzip.compress(block.read_bytes())
        for data in (block.read_bytes(), packed):
            for name in (["-"], []):
                monkeypatch.setattr(sys, "stdin", Stream(data))
                assert prints("select", *name, "--per-sentence", "3", *CHRF) == plain

    def test_tables_and_json_come_from_standard_input_too(
        self, prints: Prints, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for text in (
            "id\ttext\n1\ta cat\n1\tthe dog\n1\tthe dog\n",
            '{"texts": ["a cat", "the dog", "the dog"]}\n',
        ):
            monkeypatch.setattr(sys, "stdin", Stream(text.encode()))
            assert prints("select", "-", *CHRF) == "the dog\n"

    def test_sentences_may_have_any_number_of_candidates(
        self, tmp_path: Path, prints: Prints
    ) -> None:
        path = tmp_path / "c.tsv"
        path.write_text("id\ttext\nx\tone\ny\ttwo\ny\ttwo three\ny\ttwo\nz\t\n")
        assert prints("select", path, *CHRF) == "one\ntwo\n\n"

    def test_references_make_it_the_oracle(self, prints: Prints) -> None:
        chosen = prints("select", *FILES, *CHRF, "--references", REFERENCE)
        assert chosen.splitlines() == lines(REFERENCE)

    def test_references_in_the_file_count_only_if_asked_for(
        self, tmp_path: Path, prints: Prints, fails: Fails
    ) -> None:
        """A table that is there to be scored would silently give the oracle otherwise."""
        path = tmp_path / "c.jsonl"
        path.write_text('{"candidates": ["a b", "a b", "x"], "reference": "x"}\n')
        assert prints("select", path, *CHRF) == "a b\n"
        assert prints("select", path, *CHRF, "--oracle") == "x\n"
        path.write_text('{"candidates": ["a b", "a b", "x"]}\n')
        fails(1, ("MP858", "line 1", "--references"), "select", path, *CHRF, "--oracle")

    def test_log_probabilities_weigh_unless_they_are_not_to(
        self, tmp_path: Path, prints: Prints
    ) -> None:
        path = tmp_path / "c.jsonl"
        texts = ["a cat", "the dog", "the dog ran"]
        path.write_text(json.dumps({"candidates": texts, "logprobs": [-0.1, -9, -9]}) + "\n")
        assert prints("select", path, *CHRF) == "a cat\n"
        assert prints("select", path, *CHRF, "--equal-weights") != "a cat\n"

    def test_samples_take_the_place_of_the_other_candidates(
        self, tmp_path: Path, prints: Prints
    ) -> None:
        candidates, samples = tmp_path / "c.txt", tmp_path / "s.txt"
        candidates.write_text("a cat\nthe dog\nthe dog\n")
        samples.write_text("a cat\na cat sat\n")
        given = ("select", candidates, "--per-sentence", "3", *CHRF)
        assert prints(*given) == "the dog\n"
        assert prints(*given, "--samples", samples, "--samples-per-sentence", "2") == "a cat\n"

    def test_of_equal_candidates_the_first_is_taken(self, tmp_path: Path, records: Any) -> None:
        path = tmp_path / "c.txt"
        path.write_text("b\na\nb\na\n")
        (found,) = records(path, "--per-sentence", "4", *CHRF)
        assert found["candidate"] == 1

    def test_several_metrics_are_mixed_by_their_shares(self, records: Any) -> None:
        given = (*FILES, "-m", "chrf", "bleu")
        alone = [one["candidate"] for one in records(*FILES, "-m", "bleu")]
        mixed = records(*given, "--shares", "0", "1")
        assert [one["candidate"] for one in mixed] == alone
        assert set(mixed[0]["scores"]) == {"chrf", "bleu"}


class TestWhatIsWritten:
    def test_the_n_best_are_a_table_best_first(self, prints: Prints) -> None:
        header, *rows = prints("select", *FILES, *CHRF, "--n-best", "2").splitlines()
        assert header.split("\t") == ["id", "rank", "candidate", "system", "utility", "text"]
        assert len(rows) == 24
        first, second = (row.split("\t") for row in rows[:2])
        assert (first[:2], second[:2]) == (["1", "1"], ["1", "2"])
        assert float(first[4]) >= float(second[4])
        assert (
            first[5]
            == lines(
                dict(zip(("system-a", "system-b", "reference"), FILES, strict=True))[first[3]]
            )[0]
        )

    def test_scores_are_of_all_candidates(self, tmp_path: Path) -> None:
        best, scores = tmp_path / "best.txt", tmp_path / "scores.tsv.gz"
        assert run("select", *FILES, *CHRF, "-o", best, "--scores", scores) == 0
        header, *rows = gzip.decompress(scores.read_bytes()).decode().splitlines()
        assert header.split("\t") == ["id", "rank", "candidate", "system", "utility"]
        assert len(rows) == 36
        chosen = [row.split("\t") for row in rows if row.split("\t")[1] == "1"]
        texts = [triples()[int(cells[0]) - 1][int(cells[2]) - 1] for cells in chosen]
        assert texts == lines(best)

    def test_what_was_pruned_has_no_utility(self, tmp_path: Path) -> None:
        scores = tmp_path / "scores.tsv"
        given = ("select", *FILES, "-m", "bleu", "--shortlist", "1", "--scores", scores)
        assert run(*given, "-o", tmp_path / "best.txt") == 0
        cells = [line.split("\t") for line in lines(scores)[1:]]
        assert [cell[1] == "1" for cell in cells] == [cell[4] != "" for cell in cells]

    def test_json_says_why_if_asked(self, records: Any) -> None:
        found = records(*FILES, *CHRF, "--explain", "2", "--n-best", "2")
        assert [("support" in one) for one in found[:3]] == [False, True, False]
        assert found[1]["support"]["text"] == found[1]["text"]
        assert found[0]["n_best"][0]["text"] == found[0]["text"]
        assert found[0]["possible_pairs"] == 9

    def test_a_summary_says_what_was_compared(self, capsys: pytest.CaptureFixture[str]) -> None:
        run("select", *FILES, *CHRF)
        said = capsys.readouterr().err.splitlines()
        assert said[0] == "12 sentences · 36 candidates · minimum Bayes risk · 108 pairs compared"
        assert said[1].startswith("chosen: system-a ")
        assert said[-1].startswith("chrf|")
        run("select", *FILES, *CHRF, "--shortlist", "1", "--shortlist-by", "bleu")
        said = capsys.readouterr().err.splitlines()
        assert "36 of 108 pairs compared (33 %)" in said[0]
        assert "by bleu" in said[2]
        run("select", *FILES, *CHRF, "--aggregate")
        assert "counts of samples added up" in capsys.readouterr().err
        run("select", *SYSTEMS, *CHRF)
        assert "decide nothing" in capsys.readouterr().err

    def test_near_copies_are_merged_on_demand(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], fails: Fails
    ) -> None:
        paths = [tmp_path / name for name in ("one", "two", "three")]
        for path, end in zip(paths, ("mat", "mat .", "dog barked there"), strict=True):
            path.write_text("".join(f"the cat number {i} sat on a {end}\n" for i in range(12)))
        run("select", *paths, *CHRF, "--merge-near-copies")
        said = capsys.readouterr().err
        assert "one vote together: one, two, which say nearly the same" in said
        run("select", *paths, *CHRF, "--merge-near-copies", "100")
        assert "no two systems say nearly the same" in capsys.readouterr().err
        for wrong in ((paths[0], "--per-sentence", "2"), (*paths, "--references", paths[0])):
            fails(2, "MP849", "select", *wrong, *CHRF, "--merge-near-copies")

    def test_it_is_said_if_the_choice_does_not_beat_the_best_system(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        paths = [tmp_path / name for name in ("one", "two", "three")]
        for path, end in zip(paths, ("on a mat", "on a mat", "down"), strict=True):
            path.write_text("".join(f"cat number {i} sat {end}\n" for i in range(12)))
        run("select", *paths, *CHRF)
        assert "it is the best single system by itself" in capsys.readouterr().err
        paths[1].write_text(
            "".join(f"cat number {i} sat on {'the' if i % 2 else 'a'} mat\n" for i in range(12))
        )
        run("select", *paths, "-m", "ter")
        assert "by chrf, which did not choose, the choice" in capsys.readouterr().err

    def test_candidates_put_together_are_passed_over(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "candidates"
        path.write_text("a cat\nthe cat sat\na cat the cat sat\n")
        run("select", path, "--per-sentence", "3", *CHRF)
        out, err = capsys.readouterr()
        assert out.strip() != "a cat the cat sat"
        assert "passed over: 1 candidate made of others put together" in err

    def test_the_results_do_not_depend_on_threads(self, prints: Prints) -> None:
        given = ("select", *FILES, "-m", "accord", "--format", "jsonl", "--threads")
        assert prints(*given, "1") == prints(*given, "3")

    def test_a_text_that_a_line_cannot_hold_is_refused(self, tmp_path: Path, fails: Fails) -> None:
        path, best = tmp_path / "c.jsonl", tmp_path / "best.txt"
        path.write_text('{"candidates": ["a\\nb"]}\n')
        fails(1, ("MP131", "JSONL"), "select", path, *CHRF, "-o", best)
        assert not best.exists()
        path.write_text('{"candidates": ["a\\tb"]}\n')
        fails(1, "MP131", "select", path, *CHRF, "-o", best, "--format", "tsv")
        path.write_text('{"id": "a\\tb", "candidates": ["a"]}\n')
        scores = tmp_path / "scores.tsv"
        fails(1, "MP131", "select", path, *CHRF, "-o", best, "--scores", scores)
        assert not scores.exists()


@pytest.mark.filterwarnings("always")
class TestWarnings:
    def test_candidates_in_another_language_are_warned_of(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        german = str(Path(REFERENCE).with_name("source.txt"))
        files = [f"{name}={german}" for name in "abc"]
        given = ["select", *files, *CHRF, "-o", str(tmp_path / "best.txt")]
        assert main(given) == 0
        assert "MP580" in (said := capsys.readouterr().err)
        assert "the candidates. If that is right, give -l de." in said
        for silent in (["--no-language-check"], ["-l", "de"]):
            assert main([*given, *silent]) == 0
            assert "MP580" not in capsys.readouterr().err

    def test_candidates_that_repeat_the_source_are_warned_of(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        given = (*FILES, *CHRF, "--sources", REFERENCE, "--references", REFERENCE)
        assert run("select", *given) == 0
        assert "MP583" in capsys.readouterr().err


class TestWhy:
    def test_the_screen_shows_supporters_and_words(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = shown(monkeypatch, "select", *FILES, "--explain", "2")
        for words in ("sentence 2", "candidate 3 of 3, reference: accord", "runner-up"):
            assert words in text
        assert "not here, but in the runner-up" in text
        assert "rainfall flooding were forced" in text
        assert "sentence 3" not in text

    @pytest.mark.parametrize("width", [40, 60, 200])
    def test_nothing_is_wider_than_the_screen(
        self, width: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text = shown(monkeypatch, "select", *FILES, *CHRF, "--explain", width=width)
        view = text.partition("12 sentences")[0]
        assert max(map(len, view.splitlines())) <= width

    def test_with_a_file_the_choice_goes_there(self, tmp_path: Path, prints: Prints) -> None:
        best = tmp_path / "best.txt"
        shown_view = prints("select", *FILES, *CHRF, "--explain", "1", "-o", best)
        assert shown_view.startswith("sentence 1 ")
        assert len(lines(best)) == 12

    def test_a_text_cannot_steer_the_terminal(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "c.txt"
        path.write_text("a \x1b[31mcat\na cat\nthe \x07 cat\n")
        given = ("select", str(path), "--per-sentence", "3", *CHRF, "--explain")
        assert not {"\x1b", "\x07"} & set(shown(monkeypatch, *given))


class TestMistakes:
    def test_per_sentence_forgotten(self, block: Path, fails: Fails) -> None:
        fails(2, ("MP854", "did you forget --per-sentence?"), "select", block)

    def test_candidates_missing_at_the_end(self, block: Path, fails: Fails) -> None:
        words = ("MP854", "candidates.txt, line 36", "1 candidates, not 5")
        fails(1, words, "select", block, "--per-sentence", "5", *CHRF)

    def test_references_of_another_text(self, tmp_path: Path, fails: Fails) -> None:
        short = tmp_path / "short.txt"
        short.write_text("One.\nTwo.\n")
        words = ("MP855", "short.txt: The file ends after 2 sentences")
        fails(1, words, "select", *FILES, *CHRF, "--references", short)
        fails(1, ("MP855", "short.txt has 2"), "select", *SYSTEMS, short, *CHRF)

    def test_a_sentence_without_candidates(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "c.jsonl"
        path.write_text('{"candidates": ["a"]}\n{"candidates": []}\n')
        fails(1, ("MP850", "c.jsonl, line 2"), "select", path, *CHRF)

    def test_weights_that_are_not_of_the_candidates(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "c.jsonl"
        path.write_text('{"candidates": ["a", "b"], "logprobs": [-1]}\n')
        fails(1, ("MP851", "c.jsonl, line 1"), "select", path, *CHRF)

    def test_an_empty_reference(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "ref.txt"
        path.write_text("One.\n\n")
        files = []
        for name in "ab":
            files.append(tmp_path / f"{name}.txt")
            files[-1].write_text("One.\nTwo.\n")
        fails(1, ("MP105", "ref.txt, line 2"), "select", *files, "--references", path)

    def test_samples_of_other_sentences(self, tmp_path: Path, fails: Fails) -> None:
        one, two = tmp_path / "c.tsv", tmp_path / "s.tsv"
        one.write_text("id\ttext\n1\ta\n")
        two.write_text("id\ttext\n2\ta\n")
        fails(1, ("MP855", "s.tsv, line 2"), "select", one, "--samples", two, *CHRF)

    def test_a_metric_of_documents(self, fails: Fails) -> None:
        fails(2, ("MP859", "pbe:tfidf"), "select", *FILES, "-m", "pbe:tfidf")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--n-best", "2", "--format", "text"], "MP853"),
            (["--n-best", "2", "--explain"], "MP853"),
            (["--n-best", "5", "--shortlist", "2"], "MP839"),
            (["--shortlist-by", "bleu"], "--shortlist K"),
            (["--references", REFERENCE, "--aggregate"], "MP853"),
            (["--confidence", "2"], "MP847"),
            (["--confidence", "0.9", "-m", "nist"], "MP839"),
            (["--shares", "1", "2"], "MP848"),
            (["--aggregate", "-m", "ter"], "MP852"),
            (["--columns", "text=x"], "MP109"),
            (["--samples-per-sentence", "2"], "--samples FILE"),
            (["--references", "-", "--sources", "-"], "MP115"),
            (["-m", "chrf", REFERENCE], ("MP602", "metaphrase select FILE")),
            (["-o", REFERENCE], "MP607"),
            (["--scores", "x.tsv", "-o", "x.tsv"], "MP115"),
            (["--explain", "13"], ("MP605", "there are 12")),
        ],
    )
    def test_options_that_do_not_go_together(
        self, arguments: list[str], words: str | tuple[str, ...], capsys: Any
    ) -> None:
        code = main(["select", *FILES, "-m", "chrf", *arguments])
        said = capsys.readouterr().err
        assert code in (1, 2)
        for word in (words,) if isinstance(words, str) else words:
            assert word in said

    def test_nothing_is_half_written(self, block: Path, tmp_path: Path, fails: Fails) -> None:
        """The mistake is found after many sentences were chosen."""
        best, scores = tmp_path / "best.txt", tmp_path / "scores.tsv"
        best.write_text("as it was\n")
        with block.open("a") as stream:
            stream.write("one more\n")
        given = ("select", block, "--per-sentence", "3", *CHRF, "-o", best, "--scores", scores)
        fails(1, ("MP854", "line 37"), *given)
        assert best.read_text() == "as it was\n"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["best.txt", "candidates.txt"]


def test_a_few_sentences_are_held_at_a_time() -> None:
    """What is read when the first choice is made does not depend on how many sentences there are."""
    read = 0

    def sentences() -> Any:
        nonlocal read
        for read in range(1, 1_000_001):
            yield Candidates(texts=[f"a {read}", f"b {read}", f"b {read} c"])

    next(Chooser(metrics=[metaphrase.create("bleu")]).choose(sentences()))
    assert read < 1_000

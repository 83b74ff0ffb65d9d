"""The command line: what it prints, what it refuses, and how it exits."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, REFERENCE, SYSTEMS, Answers, Fails, Prints
from metaphrase.analysis import load, write_conllu
from metaphrase.analysis.metric_text import snowball
from metaphrase.cli import main
from metaphrase.metrics import create
from report.written_pages import overview, shown


def run(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """As a user would: another process, output to a pipe."""
    given = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run(
        [sys.executable, "-m", "metaphrase", *arguments],
        input=given,
        capture_output=True,
        timeout=120,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


class TestScore:
    def test_two_systems_and_three_metrics(self, prints: Prints) -> None:
        out = prints("score", REFERENCE, "-i", *SYSTEMS)
        assert "2 systems · 12 segments · 1 reference" in out
        assert "system-a" in out
        assert re.search(r"^system +accord +bleu +chrf$", out, re.M)
        assert "accord|nrefs:1|lang:en|analyser:builtin:en@" in out

    def test_paired_tests_and_intervals(self, prints: Prints) -> None:
        command = ["score", REFERENCE, "-i", *SYSTEMS, "-m", "bleu", "tesla-m"]
        out = prints(*command, "--paired-bs")
        assert "±" in out
        assert "against system-a: approximate randomisation, 1,000" in out
        out = prints(*command, "--paired-ar", "50", "--confidence", "20", "--seed", "3")
        assert "approximate randomisation, 50 resamples" in out
        assert "95 % of 20 bootstrap resamples; seed 3" in out

    def test_significance_questions_that_make_no_sense(self, fails: Fails) -> None:
        one = ["score", REFERENCE, "-i", SYSTEMS[0], "-m", "bleu"]
        fails(1, "MP", *one, "--paired-bs")
        fails(2, "MP756", *one, "--confidence", "--level", "segment")
        two = ["score", REFERENCE, "-i", *SYSTEMS, "-m", "bleu"]
        fails(2, "MP754", *two, "--sacrebleu-bs", "--confidence")

    def test_json_on_all_levels(self, answers: Answers) -> None:
        documents = str(EXAMPLES / "documents.txt")
        levels = ["--level", "system", "document", "segment"]
        result = answers("score", REFERENCE, "-i", *SYSTEMS, "--documents", documents, *levels)
        assert [system["name"] for system in result["systems"]] == ["system-a", "system-b"]
        good, bad = (system["scores"]["accord"] for system in result["systems"])
        assert good > bad
        assert len(result["systems"][0]["segments"]) == 12
        assert len(result["systems"][0]["documents"]) == 6

    def test_standard_input_is_a_system(self) -> None:
        text = Path(SYSTEMS[0]).read_text()
        done = run("score", REFERENCE, "-m", "bleu", "--format", "tsv", stdin=text)
        assert done.returncode == 0
        assert done.stderr == ""  # no progress bar in a pipe
        assert done.stdout.splitlines()[1].startswith("system\tstdin\t\t\tbleu\t")

    def test_systems_can_be_named_and_gzipped(self, tmp_path: Path, prints: Prints) -> None:
        packed = tmp_path / "packed.txt.gz"
        packed.write_bytes(gzip.compress(Path(SYSTEMS[0]).read_bytes()))
        out = prints("score", REFERENCE, "-i", f"new={SYSTEMS[0]}", str(packed), "-m", "bleu")
        assert "new" in out
        assert "packed " in out

    def test_a_corpus_in_one_file(self, tmp_path: Path, prints: Prints) -> None:
        table = tmp_path / "corpus.jsonl"
        rows = [
            {"system": "s", "segment": i, "hypothesis": "a cat", "reference": "the cat"}
            for i in range(3)
        ]
        table.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert "1 system · 3 segments" in prints("score", "--corpus", str(table), "-m", "tesla-m")

    def test_output_goes_to_a_file_whole_or_not_at_all(self, tmp_path: Path) -> None:
        target = tmp_path / "scores.json"
        command = ["score", REFERENCE, "-i", SYSTEMS[0], "-m", "bleu", "--format", "json"]
        assert main([*command, "-o", str(target)]) == 0
        before = target.read_text()
        assert json.loads(before)["segments"] == 12
        assert main(["score", REFERENCE, "-i", "missing.txt", "-o", str(target)]) == 1
        assert target.read_text() == before
        assert list(tmp_path.iterdir()) == [target]

    def test_threads_do_not_change_a_digit(self, prints: Prints) -> None:
        command = ["score", REFERENCE, "-i", *SYSTEMS, "-m", "tesla-m", "--format", "tsv"]
        command += ["--level", "system", "segment", "--threads"]
        assert prints(*command, "1") == prints(*command, "4")

    def test_metrics_and_levels_may_be_asked_for_one_by_one(self, answers: Answers) -> None:
        command = ["score", REFERENCE, "-i", SYSTEMS[0], "-m", "bleu", "-m", "chrf"]
        (system,) = answers(*command, "--level", "system", "--level", "segment")["systems"]
        assert list(system["scores"]) == ["bleu", "chrf"]
        assert len(system["segments"]) == 12

    def test_one_metric_can_be_compared_with_itself(self, prints: Prints) -> None:
        command = ["score", REFERENCE, "-i", SYSTEMS[0], "-m", "tesla-m", "tesla-m:alpha=0.5"]
        assert "tesla-m:alpha=0.5" in prints(*command).splitlines()[2]


class TestAnalysedInput:
    @pytest.fixture
    def files(self, tmp_path: Path) -> list[str]:
        """The examples, analysed by the built-in analyser and written as CoNLL-U."""
        paths = []
        for name in (REFERENCE, SYSTEMS[0]):
            batch = load("en").analyse(Path(name).read_text().splitlines(), ["lemma", "tag"])
            paths.append(str(tmp_path / f"{Path(name).stem}.conllu"))
            write_conllu(batch, paths[-1])
        return paths

    def test_conllu_files_score_as_their_texts_do(self, files: list[str], answers: Answers) -> None:
        numbers = []
        for reference, system in (files, (REFERENCE, SYSTEMS[0])):
            result = answers("score", reference, "-i", system, "-m", "tesla-m", "chrf")
            numbers.append(result["systems"][0]["scores"])
        assert numbers[0] == numbers[1]

    def test_their_content_is_in_the_signature(self, files: list[str], prints: Prints) -> None:
        assert "|analyser:conllu@" in prints("score", files[0], "-i", files[1], "-m", "tesla-m")

    def test_a_mixture_is_refused(self, files: list[str], fails: Fails) -> None:
        for inputs in (["-i", SYSTEMS[0]], []):
            fails(2, "MP606", "score", files[0], *inputs)

    def test_a_colon_in_a_file_name_is_part_of_it(
        self, files: list[str], tmp_path: Path, prints: Prints
    ) -> None:
        moved = tmp_path / "a:b.conllu"
        Path(files[0]).rename(moved)
        assert "tesla-m" in prints("score", str(moved), "-i", files[1], "-m", "tesla-m")

    def test_doctor_reads_them(self, files: list[str], prints: Prints) -> None:
        assert "12 segments" in prints("doctor", *files)


class TestExplain:
    def test_the_worst_segment_is_chosen(self, prints: Prints) -> None:
        out = prints("explain", REFERENCE, "-i", *SYSTEMS)
        assert out.startswith("accord ")
        assert "system system-b" in out

    def test_texts_on_the_command_line_as_json(self, answers: Answers) -> None:
        command = ["explain", "--reference", "the cat", "--hypothesis", "the cats"]
        (record,) = answers(*command)
        assert record["metric"] == "accord"
        assert record["reference_number"] == 1
        added = sum(feature["contribution"] for feature in record["features"])
        assert added == pytest.approx(record["score"])
        points = sum(repair["points"] for repair in record["repairs"])
        assert points == pytest.approx(record["maximum"] - record["score"], abs=1e-9)

    def test_what_the_metric_says_of_itself_is_shown_on_demand(self, prints: Prints) -> None:
        command = ["explain", REFERENCE, "-i", SYSTEMS[1], "-m", "cobalt", "--segment", "8"]
        assert "aligned words, F mean" not in prints(*command)
        assert "aligned words, F mean" in prints(*command, "--details")

    def test_a_table_has_a_row_for_each_repair(self, prints: Prints) -> None:
        command = ["explain", REFERENCE, "-i", *SYSTEMS, "--segment", "8", "-m", "chrf", "ter"]
        header, *rows = (
            row.split("\t") for row in prints(*command, "--format", "tsv").splitlines()
        )
        for row in rows:
            one = dict(zip(header, row, strict=True))
            assert (one["segment"], one["reference_number"]) == ("8", "1")
            assert int(one["hypothesis_start"]) <= int(one["hypothesis_end"])
        assert {row[3] for row in rows} == {"chrf", "ter"}
        assert {row[0] for row in rows} == {"system-a", "system-b"}

    @pytest.mark.parametrize(
        ("metric", "titles", "counts"),
        [
            ("ppda", ["not the best: ignored", "the best: counts"], [False, True]),
            ("ppda:references=mean", ["averaged", "averaged"], [True, True]),
            ("tesla-m", ["averaged", "averaged"], [True, True]),
            ("cobalt", ["not the best: ignored", "the best: counts"], [False, True]),
        ],
    )
    def test_of_several_references_it_says_which_counts(
        self,
        metric: str,
        titles: list[str],
        counts: list[bool],
        tmp_path: Path,
        prints: Prints,
        answers: Answers,
    ) -> None:
        texts = {"a": "a dog barked", "b": "the cat sat down", "system": "the cat sat"}
        for name, text in texts.items():
            (tmp_path / name).write_text(text + "\n")
        a, b, system = (str(tmp_path / name) for name in texts)
        command = ["explain", a, b, "-i", system, "-m", metric]
        out = " ".join(prints(*command).split())  # a title may be folded
        for number, title in enumerate(titles, 1):
            assert f"reference {number} of 2, {title}" in out
        assert [record["counts"] for record in answers(*command)] == counts
        captions = [cell[-1] for cell, _ in shown(prints(*command, "--format", "html"))]
        assert captions == [f"reference {n} of 2, {title}" for n, title in enumerate(titles, 1)]

    def test_named_segments_of_every_system(self, answers: Answers) -> None:
        records = answers("explain", REFERENCE, "-i", *SYSTEMS, "--segment", "2", "5")
        assert [(r["segment"], r["system"]) for r in records] == [
            (2, "system-a"),
            (2, "system-b"),
            (5, "system-a"),
            (5, "system-b"),
        ]


class TestCompare:
    COMMAND = ("explain", REFERENCE, "-i", *SYSTEMS, "--compare")

    def test_the_segments_that_differ_most_come_first(self, answers: Answers) -> None:
        everything = answers(*self.COMMAND, "-m", "cobalt", "--worst", "99")["segments"]
        assert len(everything) == 12
        differences = [abs(record["difference"]) for record in everything]
        assert differences == sorted(differences, reverse=True)
        assert answers(*self.COMMAND, "-m", "cobalt")["segments"] == everything[:1]

    @pytest.mark.parametrize("metric", ["accord", "ter"])
    def test_it_says_which_system_is_better(self, metric: str, prints: Prints) -> None:
        out = prints(*self.COMMAND, "-m", metric, "--segment", "8")
        higher = "higher" if metric == "accord" else "lower"
        assert f"system-a scores {higher} than system-b by" in out

    def test_above_them_stands_what_the_test_of_all_segments_says(
        self, prints: Prints, tmp_path: Path
    ) -> None:
        out = " ".join(prints(*self.COMMAND, "-m", "chrf").split())
        assert (
            "system-a scores 19.16 chrf higher than system-b (randomisation test, p = .003)" in out
        )
        files = []
        for path in (REFERENCE, *SYSTEMS):
            lines = Path(path).read_text("utf-8").splitlines(keepends=True)
            (tmp_path / Path(path).name).write_text("".join(lines[:5]), "utf-8")
            files.append(str(tmp_path / Path(path).name))
        command = ["explain", files[0], "-i", *files[1:], "--compare", "-m", "chrf"]
        assert "with too few segments to test" in " ".join(prints(*command).split())
        page = overview(prints(*command, "--format", "html"))
        assert page["verdict"].endswith("higher than system-b, with too few segments to test.")
        assert "to test" not in prints(*command, "--segment", "1")

    def test_first_it_says_what_makes_the_difference_in_all_segments(
        self, prints: Prints, answers: Answers
    ) -> None:
        whole, segments = " ".join(prints(*self.COMMAND).split()).split("segment 5", 1)
        # The score is the mean of segment scores: it is compared once.
        assert whole.startswith(
            "system-a scores 32.8 accord higher than system-b on average over 12 segments (95% interval"
        )
        assert "randomisation test, p < .001" in whole
        assert "All segments" not in whole
        assert "system-a loses fewer points by wrong word (12.7)" in whole
        assert "4 segments of 12 make half of the difference." in whole
        assert "fewer points lost by wrong word +12.7" in whole
        assert "Children under six" not in segments  # it is the worst segment, not the first
        (record,) = answers(*self.COMMAND)["all_segments"]
        assert record["profile"]["paragraph"] in " ".join(whole.split())
        kinds = record["profile"]["difference"]["kinds"]
        assert sum(one["points"] for one in kinds) == pytest.approx(
            record["profile"]["difference"]["points"]
        )

    def test_a_sample_says_what_it_misses(self, prints: Prints) -> None:
        said = " ".join(prints(*self.COMMAND, "--profile", "11").split())
        assert said.startswith("All segments: system-a scores 32.81 accord higher")
        assert "on average over a sample of 11 of 12 segments (95% interval" in said
        assert "Over all 12 segments the difference is 32.8." in said

    def test_a_difference_that_may_be_chance_is_called_so(
        self, prints: Prints, tmp_path: Path
    ) -> None:
        lines = Path(SYSTEMS[0]).read_text("utf-8").splitlines(keepends=True)
        other = Path(SYSTEMS[1]).read_text("utf-8").splitlines(keepends=True)
        # Each is the other's equal: the worse text in half of the segments.
        for name, parity in (("one", 0), ("two", 1)):
            texts = [
                pair[(row + parity) % 2] for row, pair in enumerate(zip(lines, other, strict=True))
            ]
            (tmp_path / name).write_text("".join(texts), "utf-8")
        files = [str(tmp_path / name) for name in ("one", "two")]
        said = " ".join(prints("explain", REFERENCE, "-i", *files, "--compare").split())
        assert "one and two do not differ significantly on average over 12 segments" in said or (
            "two and one do not differ significantly on average over 12 segments" in said
        )
        assert "higher than" not in said.split("fewer points")[0]

    def test_it_can_be_left_out_and_says_where_it_cannot_be_had(self, answers: Answers) -> None:
        (left_out,) = answers(*self.COMMAND, "--profile", "none")["all_segments"]
        assert (left_out["profile"], left_out["note"]) == (None, "")
        assert left_out["verdict"]
        documents = ("--documents", str(EXAMPLES / "documents.txt"))
        (refused,) = answers(*self.COMMAND, "-m", "pbe:tfidf", *documents)["all_segments"]
        assert refused["profile"] is None
        assert "pbe:tfidf looks beyond the segment" in refused["note"]

    def test_the_order_of_the_systems_does_not_matter(self, answers: Answers) -> None:
        command = ["-m", "accord", "--segment", "8", "--compare"]
        one = answers("explain", REFERENCE, "-i", *SYSTEMS, *command)
        assert one == answers("explain", REFERENCE, "-i", *SYSTEMS[::-1], *command)
        assert one["all_segments"] == []  # of which nothing was asked
        (record,) = one["segments"]
        assert (record["better"], record["worse"]) == ("system-a", "system-b")

    def test_json_says_what_raters_would_prefer_where_that_is_known(self, answers: Answers) -> None:
        found = answers(*self.COMMAND, "-m", "accord", "bleu", "--worst", "2", "--profile", "none")
        accord, bleu = found["all_segments"]
        (scored,) = answers("score", REFERENCE, "-i", *SYSTEMS, "-m", "accord", "--format", "json")[
            "preferences"
        ]
        assert accord["raters"] == scored
        assert bleu["raters"] is None
        # A metric knows it of each single difference, too.
        single = create("accord", lang="en")
        for record in found["segments"]:
            if record["metric"] != "accord":
                assert record["raters"] is None
                continue
            assert record["raters"]["preferred"] == record["better"]
            assert record["raters"]["segments"] == 1
            assert record["raters"]["probability"] == single.preference(record["difference"], 1)

    def test_parts_add_up_to_the_difference_in_json(self, answers: Answers) -> None:
        (record,) = answers(*self.COMMAND, "-m", "accord", "--segment", "5")["segments"]
        parts = [part["difference"] for part in record["parts"]]
        assert sum(parts) == pytest.approx(record["difference"])
        assert [*map(abs, parts)] == sorted(map(abs, parts), reverse=True)
        missing = {word["form"] for word in record["words"] if not word["worse"]}
        assert missing == {"a", "species", "of", "Peru"}

    def test_every_reference_and_metric_has_its_own(self, tmp_path: Path, prints: Prints) -> None:
        texts = {
            "one": "a dog barked",
            "two": "the cat sat",
            "a": "the cat sat",
            "b": "a dog barked",
        }
        for name, text in texts.items():
            (tmp_path / name).write_text(text + "\n")
        one, two, a, b = (str(tmp_path / name) for name in texts)
        out = " ".join(
            prints("explain", one, two, "-i", a, b, "--compare", "-m", "cobalt", "tesla-m").split()
        )
        assert (
            "segment 1, b: reference 1 of 2, the best: counts; "
            "a: reference 1 of 2, not the best: ignored" in out
        )
        assert "segment 1, reference 1 of 2, averaged" in out
        assert out.count("b scores higher than a") == out.count("a scores higher than b") == 2

    def test_a_page_has_both_explanations(self, prints: Prints) -> None:
        page = prints(*self.COMMAND, "-m", "accord", "--segment", "8", "--format", "html")
        assert overview(page)["compared"] is True
        assert [record["metric"] for _, record in shown(page)] == ["accord", "accord"]

    def test_it_takes_two_systems(self, fails: Fails) -> None:
        fails(2, "MP616", "explain", REFERENCE, "-i", SYSTEMS[0], "--compare")
        three = [*SYSTEMS, REFERENCE]
        fails(2, "MP616", "explain", REFERENCE, "-i", *three, "--compare")

    @pytest.mark.parametrize(
        ("option", "given"),
        [
            ("--compare", ["--format", "tsv"]),
            ("--details", ["--details"]),
            ("--details", ["--details", "--format", "json"]),
            ("--profile", ["--segment", "8", "--profile", "11"]),
        ],
    )
    def test_options_without_effect_are_refused(
        self, option: str, given: list[str], fails: Fails
    ) -> None:
        fails(2, ("MP535", f"{option} has no effect"), *self.COMMAND, *given)

    @pytest.mark.parametrize(
        ("option", "given"),
        [
            ("--profile", ["--profile", "11"]),
            ("--profile", ["--profile", "none", "--format", "spans"]),
            ("--details", ["--details", "--format", "tsv"]),
            ("--language-pair", ["--language-pair", "de-en"]),
            ("--language-pair", ["--language-pair", "de-en", "--format", "json"]),
        ],
    )
    def test_so_are_they_without_a_comparison(
        self, option: str, given: list[str], fails: Fails
    ) -> None:
        fails(2, ("MP535", option), "explain", REFERENCE, "-i", *SYSTEMS, *given)


class TestMetrics:
    def test_the_list_says_what_each_needs(self, prints: Prints) -> None:
        out = prints("metrics")
        assert re.search(r"^tesla-m .* lemma, tag +yes +yes$", out, re.M)

    def test_the_list_says_which_can_run_and_what_the_others_lack(
        self, prints: Prints, answers: Answers
    ) -> None:
        out = prints("metrics", "-l", "ja")
        assert re.search(r"^cobalt .* yes +no$", out, re.M)
        assert "cobalt cannot run here: [MP531] cobalt knows en, de, fr, es, not 'ja'." in out
        runs = {record["name"]: record["runs"] for record in answers("metrics", "-l", "ja")}
        assert (runs["cobalt"], runs["chrf"]) == (False, True)
        assert "It cannot run here: [MP531]" in prints("metrics", "cobalt", "-l", "ja")

    def test_one_metric_shows_its_options(self, prints: Prints) -> None:
        out = prints("metrics", "tesla-m")
        assert "lemma, tag from builtin:en" in out
        assert re.search(r"^alpha +0\.8 +weight of recall in F; from 0", out, re.M)
        assert re.search(r"^lowercase +yes ", out, re.M)
        out = prints("metrics", "tesla-m", "-l", "de")
        assert "lemma, tag from builtin:de+compounds" in out

    def test_json(self, answers: Answers) -> None:
        assert {record["name"] for record in answers("metrics")} >= {"ter", "chrf++"}

    def test_a_variant_is_told_by_what_it_stands_for(
        self, prints: Prints, answers: Answers
    ) -> None:
        out = prints("metrics", "cobalt:released")
        assert "It stands for normalise = no, pairs = released." in out
        record = answers("metrics", "cobalt:released")
        assert record["options"] == {"pairs": "released", "normalise": False}
        assert record["signature"].startswith("cobalt|")
        parts = [one["part"] for one in record["substituted"]]
        assert parts == ["parser", "tagger", "names", "paraphrases"]
        assert record["departures"] == []
        paper = answers("metrics", "cobalt:paper")
        assert {one["part"] for one in paper["departures"]} == {"pairs", "vectors", "normalise"}


class TestDoctor:
    def test_a_sound_installation(self, prints: Prints) -> None:
        out = prints("doctor", REFERENCE, *SYSTEMS)
        assert "fail" not in out
        assert "12 segments, UTF-8" in out

    def test_it_names_edit_models_and_what_training_needs(self, answers: Answers) -> None:
        checks = {check["subject"]: check for check in answers("doctor")}
        for model in ("pfsm@", "ppda@", "ppda+f@"):
            assert model in checks["edit models"]["finding"]
        assert {"L-BFGS (optional)", "rankings (optional)"} <= set(checks)

    def test_it_says_which_metrics_run_and_what_the_others_lack(self, answers: Answers) -> None:
        checks = {check["subject"]: check for check in answers("doctor")}
        running = checks["metrics"]["finding"].partition(": ")[2].split(", ")
        assert {"accord", "bleu", "cobalt", "tesla-m"} <= set(running)
        for name in ("celab:lang=zh", "meteor", "tesla"):
            assert (name in running) != (name in checks)
            if name in checks:
                assert "pip install" in checks[name]["finding"]

    def test_stemmers_of_another_version_are_none_of_meteors(
        self, answers: Answers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(snowball, "version", lambda _: "3.0.1")
        snowball._prototype.cache_clear()
        checks = {check["subject"]: check for check in answers("doctor")}
        assert checks["stemmers (optional)"]["state"] == "note"
        assert "version 2" in checks["stemmers (optional)"]["finding"]

    def test_a_package_that_cannot_be_imported_is_not_ok(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "tomotopy.py").write_text("raise ImportError('a library is missing')\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "tomotopy", raising=False)
        assert main(["doctor", "--format", "json"]) == 1
        checks = {check["subject"]: check for check in json.loads(capsys.readouterr().out)}
        assert checks["topics (optional)"]["state"] == "fail"
        assert "a library is missing" in checks["topics (optional)"]["finding"]

    def test_files_that_do_not_fit(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        bad = tmp_path / "bad.txt"
        bad.write_bytes(b"ok\n\n\xff\n")
        blank = tmp_path / "blank.txt"
        blank.write_text("one\n\nthree\n")
        assert main(["doctor", str(bad), str(blank), REFERENCE, "--format", "json"]) == 1
        findings = {c["subject"]: c for c in json.loads(capsys.readouterr().out)}
        assert findings[str(bad)]["state"] == "fail"
        assert "empty: 1 (line 2)" in findings[str(blank)]["finding"]
        assert findings["all files"]["state"] == "fail"

    def test_files_that_normalising_changes(self, tmp_path: Path, answers: Answers) -> None:
        mixed = tmp_path / "mixed.txt"
        mixed.write_text("caf\u00e9\ncafe\u0301\ncan\u2019t\n\u200b\nplain\n", encoding="utf-8")
        plain = tmp_path / "plain.txt"
        plain.write_text("a\nb\nc\nd\né\n", encoding="utf-8")
        checks = {check["subject"]: check for check in answers("doctor", str(mixed), str(plain))}
        assert checks[str(mixed)] == {
            "state": "note",
            "subject": str(mixed),
            "finding": "5 segments, UTF-8; empty: 1 (line 4); changed by normalising: 3 (line 2, 3, 4); "
            "mixed normal forms, not NFC: 1 (line 2)",
        }
        assert checks[str(plain)]["finding"] == "5 segments, UTF-8"

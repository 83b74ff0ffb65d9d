"""The API: evaluations from the sending of files to the export of scores."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpus.malformed_units import workbook
from metaphrase.cli import main
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import obstacle
from metaphrase.serve.worker import _coded
from report import localised
from serve.requests import EXAMPLES, ended, evaluated, example, sent, work

LINES = "One line.\nAnother line.\n"


def units(*, texts: int, characters: int, repeated: int = 1) -> bytes:
    """A workbook with so many texts of so many characters, each for several units."""
    rows: list[list[object]] = [
        [f"{text} {unit}", "Source", f"{text} ".ljust(characters, "0")]
        for text in range(texts)
        for unit in range(repeated)
    ]
    return workbook(["id", "source", "target"], *rows)


@pytest.fixture
def command_line_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    def said(files: dict[str, bytes], *arguments: str) -> str:
        (tmp_path / "cli").mkdir()
        monkeypatch.chdir(tmp_path / "cli")
        for name, content in files.items():
            Path(name).write_bytes(content)
        assert main(["score", *arguments]) != 0
        return capsys.readouterr().err.removeprefix("metaphrase: ").rstrip("\n")

    return said


WRONG = {
    "unequal lengths": (b"a\nb\n", b"a\nb\nc\n", "MP102"),
    "not UTF-8": (LINES.encode(), b"One line.\nAnother \xe4.\n", "MP121"),
    "UTF-16": (LINES.encode(), LINES.encode("utf-16"), "MP120"),
    "an empty file": (LINES.encode(), b"", "MP113"),
    "NUL": (LINES.encode(), b"One\0line.\nAnother line.\n", "MP122"),
    "truncated gzip": (LINES.encode(), gzip.compress(LINES.encode() * 9)[:-9], "MP114"),
    "carriage returns": (LINES.encode(), b"One line.\rAnother line.\r", "MP123"),
    "an empty reference": (b"One line.\n\n", LINES.encode(), "MP105"),
}


class TestMistakes:
    @pytest.mark.parametrize("case", WRONG)
    def test_wrong_files_have_the_errors_of_the_command_line(
        self, case: str, served: Any, command_line_says: Callable[..., str]
    ) -> None:
        reference, system, code = WRONG[case]
        files = {"ref.txt": reference, "<b>sys.txt": system}
        _, status = evaluated(
            served.client,
            references=[sent("ref.txt", reference)],
            systems=[sent("../<b>sys.txt", system)],
        )
        assert status["state"] == "failed"
        error = status["error"]
        assert error["code"] == code
        said = command_line_says(files, "ref.txt", "-i", "<b>sys.txt", "-m", "chrf")
        assert str(MetaphraseError(**error)) == said

    @pytest.mark.parametrize(
        ("changes", "arguments"),
        [
            ({"metrics": ["blue"]}, ["-m", "blue"]),
            ({"metrics": ["chrf", "chrf"]}, ["-m", "chrf", "chrf"]),
            ({"metrics": ["cobalt"], "lang": "it"}, ["-m", "cobalt", "-l", "it"]),
            ({"metrics": ["bleu:max_ngram_order=many"]}, ["-m", "bleu:max_ngram_order=many"]),
            ({"metrics": ["chrf:beta=nan"]}, ["-m", "chrf:beta=nan"]),
            ({"metrics": ["bleu:tokenize=spm"]}, ["-m", "bleu:tokenize=spm"]),
            ({"metrics": ["chrf", "pbe:nonsense"]}, ["-m", "chrf", "pbe:nonsense"]),
        ],
    )
    def test_wrong_metrics_are_refused_before_anything_is_kept(
        self,
        changes: dict[str, Any],
        arguments: list[str],
        served: Any,
        command_line_says: Callable[..., str],
    ) -> None:
        files = {"r": LINES.encode(), "s": LINES.encode()}
        body = work(references=[sent("r", LINES)], systems=[sent("s", LINES)], **changes)
        for _ in range(2):
            answer = served.client.post("/api/jobs", json=body)
            assert answer.status_code == 400
            error = answer.json()["error"]
        assert served.client.get("/api/jobs").json() == []
        said = command_line_says(files, "r", "-i", "s", *arguments)
        assert str(MetaphraseError(**error)) == said

    def test_two_systems_of_one_name_are_refused(self, served: Any) -> None:
        twice = [example("system-a.txt"), example("system-a.txt")]
        _, status = evaluated(served.client, systems=twice)
        assert status["error"]["code"] == "MP603"

    def test_files_of_one_name_are_told_apart_by_what_they_are_for(self, served: Any) -> None:
        _, status = evaluated(
            served.client, references=[sent("a.txt", "x\ny\n")], systems=[sent("a.txt", "x\n")]
        )
        assert "a.txt has 2, systems-1/a.txt has 1" in status["error"]["message"]

    def test_a_request_must_say_that_it_is_json(self, served: Any) -> None:
        answer = served.client.post(
            "/api/jobs", content=json.dumps(work()), headers={"Content-Type": "text/plain"}
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "MP826")

    @pytest.mark.parametrize(
        "path",
        ["", "/overview", "/blocks/scores/0", "/explanation?metric=0&system=0&segment=0",
         "/export?format=json", "/export?format=html"],
    )  # fmt: skip
    def test_what_is_not_there_cannot_be_found(self, served: Any, path: str) -> None:
        for id in ("A" * 24, "..", "%2e%2e", "%2Fetc%2Fpasswd"):
            assert served.client.get(f"/api/jobs/{id}{path}").status_code == 404

    @pytest.mark.parametrize("path", ["/none", "/assets/none", "/assets/..%2Fpage.py", "/api"])
    def test_pages_that_do_not_exist_are_errors_like_others(self, served: Any, path: str) -> None:
        answer = served.client.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "MP829")

    def test_methods_that_make_no_sense_are_refused(self, served: Any) -> None:
        assert served.client.put("/api/jobs").status_code == 405
        assert served.client.options("/api/jobs").status_code == 405


class TestLimits:
    def test_a_large_request_is_refused(self, serving: Callable[..., Any]) -> None:
        client = serving(megabytes=1).client
        for body in (b"[" * 1_000_001, (b"[" * 300_000 for _ in range(4))):
            answer = client.post(
                "/api/jobs", content=body, headers={"Content-Type": "application/json"}
            )
            assert (answer.status_code, answer.json()["error"]["code"]) == (413, "MP824")

    @pytest.mark.parametrize(
        ("name", "wrapped"),
        [
            ("bomb.gz", lambda: gzip.compress(b"0" * 3_000_000)),
            ("bomb.xlsx", lambda: units(texts=100, characters=30_000)),
            ("packed.xlsx", lambda: gzip.compress(units(texts=100, characters=30_000))),
        ],
    )
    def test_so_is_what_becomes_large_when_it_is_unpacked(
        self, serving: Callable[..., Any], name: str, wrapped: Callable[[], bytes]
    ) -> None:
        bomb = wrapped()
        assert len(bomb) < 100_000
        _, status = evaluated(
            serving(megabytes=1).client,
            references=[sent(name, bomb)],
            systems=[sent("s", LINES)],
        )
        assert (status["error"]["code"], status["error"]["path"]) == ("MP824", name)

    def test_equal_cells_of_a_workbook_count_each(self, serving: Callable[..., Any]) -> None:
        # It holds a text once however often cells have it.
        bomb = units(texts=1, characters=20_000, repeated=100)
        _, status = evaluated(
            serving(megabytes=1).client,
            references=[sent("reference.xlsx", bomb)],
            systems=[sent("system.xlsx", bomb)],
        )
        assert status["error"]["code"] == "MP824"

    def test_more_segments_than_are_taken_are_refused(self, serving: Callable[..., Any]) -> None:
        _, status = evaluated(serving(segments=11).client)
        assert status["error"]["code"] == "MP835"

    def test_an_evaluation_that_takes_too_long_is_stopped(
        self, serving: Callable[..., Any]
    ) -> None:
        _, status = evaluated(serving(seconds=0.01).client)
        assert (status["state"], status["error"]["code"]) == ("failed", "MP831")

    def test_one_that_needs_too_much_memory_fails_alone(self, serving: Callable[..., Any]) -> None:
        pytest.importorskip("resource")
        client = serving(worker_megabytes=120).client  # enough for imports, not for models
        _, status = evaluated(client, metrics=["cobalt"])
        assert status["state"] == "failed"
        # Some libraries end the process themselves when they cannot allocate.
        assert status["error"]["code"] in {"MP832", "MP833"}
        assert client.get("/api/jobs").status_code == 200

    def test_a_library_that_forgets_to_say_that_it_got_no_memory(self) -> None:
        # What Python raises then; met once in fourteen tries with 120 megabytes.
        assert _coded(SystemError("error return without exception set")).code == "MP832"

    def test_a_full_queue_says_when_to_come_again(self, serving: Callable[..., Any]) -> None:
        client = serving(queue=1).client
        first = client.post("/api/jobs", json=work()).json()["id"]
        answer = client.post("/api/jobs", json=work())
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "MP828")
        assert int(answer.headers["Retry-After"]) > 0
        assert ended(client, first)["state"] == "done"
        assert client.post("/api/jobs", json=work()).status_code == 202

    def test_the_oldest_evaluation_goes_when_there_are_too_many(
        self, serving: Callable[..., Any]
    ) -> None:
        served = serving(keep=1)
        first, _ = evaluated(served.client)
        second, _ = evaluated(served.client)
        for _ in range(100):
            if served.client.get(f"/api/jobs/{first}").status_code == 404:
                break
            time.sleep(0.05)
        assert [job["id"] for job in served.client.get("/api/jobs").json()] == [second]
        assert not served.store.path(first).exists()


class TestEvaluations:
    def test_from_files_to_exports(self, served: Any, tmp_path: Path) -> None:
        """Every export is, byte by byte, what the command line writes."""
        client = served.client
        metrics = ["tesla-m", "chrf", "bleu"]
        id, status = evaluated(
            client, metrics=metrics, title="Demo", documents=example("documents.txt")
        )
        assert status["state"] == "done", status
        overview = client.get(f"/api/jobs/{id}/overview").json()
        assert overview["systems"] == ["system-a", "system-b"]
        assert overview["explained"] == "live"
        assert overview["title"] == "Demo"
        packed = client.get(f"/api/jobs/{id}/blocks/texts/0").content
        texts = json.loads(zlib.decompress(packed, -zlib.MAX_WBITS))
        assert (
            texts["references"][0] == (EXAMPLES / "reference.txt").read_text("utf-8").splitlines()
        )
        assert client.get(f"/api/jobs/{id}/blocks/none").status_code == 404
        files = [str(EXAMPLES / name) for name in ("reference.txt", "system-a.txt", "system-b.txt")]
        common = [files[0], "-i", *files[1:], "--documents", str(EXAMPLES / "documents.txt")]
        common += ["-m", *metrics, "-o", str(tmp_path / "out")]
        for form in ("json", "tsv"):
            assert main(["score", *common, "--level", "system", "segment", "--format", form]) == 0
            answer = client.get(f"/api/jobs/{id}/export?format={form}")
            assert answer.content == (tmp_path / "out").read_bytes()
            assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
        assert main(["report", *common, "--title", "Demo"]) == 0
        report = client.get(f"/api/jobs/{id}/export?format=html")
        assert report.content == (tmp_path / "out").read_bytes()
        assert client.get(f"/api/jobs/{id}/export?format=pdf").status_code == 400

    def test_explanations_are_made_when_they_are_asked_for(self, served: Any) -> None:
        id, _ = evaluated(served.client, metrics=["tesla-m", "bleu"])
        address = f"/api/jobs/{id}/explanation?metric={{}}&system={{}}&segment={{}}"
        first = served.client.get(address.format(0, 1, 2))
        assert first.json()["metric"] == "tesla-m"
        assert served.client.get(address.format(0, 1, 2)).content == first.content
        assert served.client.get(address.format(1, 0, 0)).json()["metric"] == "bleu"
        assert served.client.get(address.format(0, 0, 12)).json()["error"]["code"] == "MP605"
        for wrong in ("-1", "x", "", "9" * 30, "²"):
            answer = served.client.get(address.format(0, 0, wrong))
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "MP826")

    def test_an_explanation_that_takes_too_long_is_stopped(
        self, serving: Callable[..., Any]
    ) -> None:
        client = serving(explanation_seconds=0.01).client
        id, _ = evaluated(client, metrics=["tesla-m"])
        answer = client.get(f"/api/jobs/{id}/explanation?metric=0&system=0&segment=0")
        assert (answer.status_code, answer.json()["error"]["code"]) == (504, "MP831")

    def test_results_are_not_there_before_the_end(self, serving: Callable[..., Any]) -> None:
        client = serving(workers=1).client
        for _ in range(2):
            id = client.post("/api/jobs", json=work()).json()["id"]
        answer = client.get(f"/api/jobs/{id}/overview")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "MP830")

    def test_one_that_cannot_be_deleted_stays_where_it_was(
        self, served: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = served.client
        ids = [evaluated(client)[0] for _ in range(2)]

        def refuse(path: Path, target: Path) -> None:
            raise PermissionError(13, "Permission denied")

        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", refuse)
            answer = client.delete(f"/api/jobs/{ids[0]}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (507, "MP822")
        assert [job["id"] for job in client.get("/api/jobs").json()] == ids[::-1]
        assert client.delete(f"/api/jobs/{ids[0]}").status_code == 204

    def test_an_evaluation_is_cancelled_first_and_deleted_then(
        self, serving: Callable[..., Any]
    ) -> None:
        served = serving(workers=1)
        client = served.client
        running, waiting = (
            client.post("/api/jobs", json=work(title=title)).json()["id"] for title in "ab"
        )
        for id in (waiting, running):
            assert client.delete(f"/api/jobs/{id}").status_code == 204
            assert client.get(f"/api/jobs/{id}").json()["state"] == "cancelled"
        assert [job["title"] for job in client.get("/api/jobs").json()] == ["b", "a"]
        for id in (waiting, running):
            assert client.delete(f"/api/jobs/{id}").status_code == 204
            assert client.delete(f"/api/jobs/{id}").status_code == 404
            assert not served.store.path(id).exists()
        assert evaluated(client)[1]["state"] == "done"

    def test_gzip_and_parsed_files_are_read_as_on_the_command_line(self, served: Any) -> None:
        packed = gzip.compress((EXAMPLES / "system-a.txt").read_bytes())
        id, status = evaluated(served.client, systems=[sent("first.txt.gz", packed)])
        assert status["state"] == "done", status
        assert served.client.get(f"/api/jobs/{id}/overview").json()["systems"] == ["first"]
        id, status = evaluated(
            served.client,
            metrics=["tesla-m"],
            references=[example("table-3-reference.conllu")],
            systems=[example("table-3-first.conllu")],
        )
        assert status["state"] == "done", status
        explanation = served.client.get(
            f"/api/jobs/{id}/explanation?metric=0&system=0&segment=0"
        ).json()
        assert explanation["metric"] == "tesla-m"

    def test_hostile_text_is_data(self, served: Any) -> None:
        hostile = "<script>alert(1)</script> \u202e\U0001f600 " + "x" * 100_000 + "\n"
        id, status = evaluated(
            served.client, references=[sent("r", hostile)], systems=[sent("<script>", hostile)]
        )
        assert status["state"] == "done", status
        assert served.client.get(f"/api/jobs/{id}/overview").json()["systems"] == ["<script>"]
        page = served.client.get(f"/api/jobs/{id}/export?format=html").text
        assert "<script>alert" not in page

    def test_no_file_of_the_sender_is_run(self, served: Any) -> None:
        trap = "raise SystemExit('run')\n"
        _, status = evaluated(
            served.client,
            references=[sent("numpy.py", trap)],
            systems=[sent("sacrebleu.py", trap), sent("sitecustomize.py", trap)],
        )
        assert status["state"] == "done", status


class TestLanguageCheck:
    @pytest.mark.parametrize("checked", [True, False])
    def test_english_as_german_is_warned_of_unless_nobody_wants_to_know(
        self, served: Any, checked: bool
    ) -> None:
        id, _ = evaluated(served.client, lang="de", check_language=checked)
        overview = served.client.get(f"/api/jobs/{id}/overview").json()
        assert bool(overview["warnings"]) is checked


class TestRefusedSegments:
    def test_end_an_evaluation_unless_they_are_to_be_skipped(self, served: Any) -> None:
        asked: dict[str, Any] = {
            "metrics": ["ter:longest=5"],
            "references": [sent("reference.txt", "a cat\na dog\n")],
            "systems": [sent("mine.txt", "a cat\n" + "word " * 6 + "\n")],
        }
        _, status = evaluated(served.client, **asked)
        assert status["error"]["code"] == "MP518"
        id, _ = evaluated(served.client, **asked, on_error="skip")
        overview = served.client.get(f"/api/jobs/{id}/overview").json()
        assert overview["metrics"][0]["skipped"] == 1
        assert [(one["segment"], one["code"]) for one in overview["refusals"]] == [(1, "MP518")]
        assert "1 of 2 segments refused" in overview["warnings"][0]


class TestLocalisationFiles:
    def test_are_joined_checked_and_compared(self, served: Any, tmp_path: Path) -> None:
        files = {}
        for version in ("reference", "before", "after"):
            path = tmp_path / f"{version}.xlf"
            localised.write_xliff(path, version)
            files[version] = sent(path.name, path.read_text("utf-8"))
        asked: dict[str, Any] = {
            "lang": "de",
            "references": [files["reference"]],
            "systems": [files["before"], files["after"]],
            "check_language": False,
        }
        id, status = evaluated(served.client, **asked, checks=True, changes=True)
        assert status["state"] == "done", status
        overview = served.client.get(f"/api/jobs/{id}/overview").json()
        assert any(kind["code"] == "placeholders/missing" for kind in overview["findings"]["kinds"])
        assert overview["changes"]["summary"].startswith("8 of 9 segments changed")
        assert "1 of 10 units are left out" in overview["notes"][0]
        for name in ("finding-rows", "findings/0", "changes"):
            assert served.client.get(f"/api/jobs/{id}/blocks/{name}").status_code == 200

    def test_checks_without_a_source_are_refused_as_on_the_command_line(self, served: Any) -> None:
        _, status = evaluated(served.client, checks=True)
        assert status["error"]["code"] == "MP893"


class TestStatus:
    def test_the_page_and_its_parts_are_served(self, served: Any) -> None:
        answer = served.client.get("/")
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "/assets/serve.js" in answer.text
        for name, kind in (("serve.js", "text/javascript"), ("serve.css", "text/css")):
            part = served.client.get(f"/assets/{name}")
            assert part.headers["Content-Type"] == f"{kind}; charset=utf-8"

    def test_it_says_what_it_takes(self, served: Any) -> None:
        status = served.client.get("/api/status").json()
        assert status["defaults"]["metrics"] == ["accord", "bleu", "chrf"]
        assert status["limits"]["upload_bytes"] == 64_000_000

    def test_it_says_which_metrics_know_which_languages_and_what_they_lack(
        self, served: Any
    ) -> None:
        metrics = served.client.get("/api/metrics").json()
        languages = {metric["name"]: metric["languages"] for metric in metrics}
        assert languages["bleu"] is None
        assert languages["cobalt"] == ["de", "en", "es", "fr"]
        assert languages["tesla-m"] == ["cs", "de", "en", "es", "fr", "zh"]
        # METEOR 1.5's languages: those of its Snowball stemmers, and Czech.
        expected = "cs da de en es fi fr hu it nl no pt ro ru sv tr"
        assert languages["meteor"] == expected.split()
        lacking = {metric["name"]: metric["obstacles"] for metric in metrics}
        assert lacking["chrf"] == []
        found = obstacle("meteor", lang="en")
        message = {"message": str(found), "languages": ["en"]}
        assert lacking["meteor"] == ([] if found is None else [message])

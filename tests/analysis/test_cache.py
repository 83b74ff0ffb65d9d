"""The cache answers what the analyser answers, whatever happens to its file."""

import logging
import multiprocessing
import os
import pickle
import random
import signal
import sqlite3
import subprocess
import sys
import time
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaphrase.analysis import blob_store
from metaphrase.analysis.analyser import Analyser
from metaphrase.analysis.cache import CachedAnalyser, default_directory
from metaphrase.analysis.sentence import BASE_COLUMNS, Batch, Sentence
from metaphrase.errors import OptionError

COLUMNS = ("lemma", "tag", "head")


class Splitter:
    """White-space words with made-up columns; counts the texts it was given."""

    name = "test:splitter"
    columns = frozenset({*BASE_COLUMNS, *COLUMNS})

    def __init__(self, version="1"):
        self.version = version
        self.analysed = []

    def fingerprint(self, columns):
        return self.version

    def analyse(self, texts, columns, *, threads=1):
        self.analysed += texts
        return Batch.pack([self.sentence(text) for text in texts], columns)

    def sentence(self, text):
        forms, start, position = text.split(), [], 0
        for form in forms:
            position = text.index(form, position)
            start.append(position)
            position += len(form)
        end = [a + len(form) for a, form in zip(start, forms, strict=True)]
        return Sentence(
            text,
            # Every second form is not what stands in the text.
            tuple(form.upper() if i % 2 else form for i, form in enumerate(forms)),
            tuple(start),
            tuple(end),
            lemma=tuple(form.lower() + self.version for form in forms),
            tag=tuple(f"T{len(form)}" for form in forms),
            head=tuple(range(len(forms))),
        )


def texts_like(seed, count, words=8):
    """Texts that do not compress, so that sizes mean something."""
    digests = (blake2b(f"{seed} {i}".encode(), digest_size=4).hexdigest() for i in range(10**9))
    return [" ".join(next(digests) for _ in range(words)) for _ in range(count)]


def analyse(directory, texts, columns=COLUMNS, *, fingerprint="1", limit_bytes=1 << 22):
    """The answer of a new process, so to say: an analyser that knows only what is on disk."""
    plain = Splitter(fingerprint)
    cached = CachedAnalyser(plain, directory, limit_bytes=limit_bytes)
    batch = cached.analyse(texts, columns)
    cached.close()
    assert list(batch) == list(Splitter(fingerprint).analyse(texts, columns))
    return plain.analysed


def test_it_is_an_analyser(tmp_path):
    cached = CachedAnalyser(Splitter(), tmp_path)
    assert isinstance(cached, Analyser)
    assert (cached.name, cached.fingerprint(["lemma"])) == ("test:splitter", "1")
    assert cached.columns == Splitter.columns
    with pytest.raises(OptionError, match="MP252"):
        cached.analyse(["a"], ["relation"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(st.characters() | st.just(" ")), max_size=5),
    st.sets(st.sampled_from(COLUMNS)),
    st.sets(st.sampled_from(COLUMNS)),
)
def test_an_answer_is_the_same_from_analyser_and_cache(tmp_path, texts, first, second):
    analyse(tmp_path, texts, first)
    assert analyse(tmp_path, texts, first) == []
    analyse(tmp_path, texts, second)
    assert analyse(tmp_path, texts, first | second) == []


def test_a_text_is_analysed_once(tmp_path):
    assert analyse(tmp_path, ["a b", "c", "a b", ""]) == ["a b", "c", ""]
    assert analyse(tmp_path, ["c", "d", "a b"]) == ["d"]


def test_another_fingerprint_is_another_analysis(tmp_path):
    analyse(tmp_path, ["a"])
    assert analyse(tmp_path, ["a"], fingerprint="2") == ["a"]
    assert analyse(tmp_path, ["a"], fingerprint="1") == []


def test_no_text_is_no_work(tmp_path):
    batch = CachedAnalyser(Splitter(), tmp_path).analyse([], ["lemma"])
    assert len(batch) == 0
    assert set(batch.columns) == {*BASE_COLUMNS, "lemma"}


def test_a_copy_in_another_process_opens_its_own_file(tmp_path):
    cached = CachedAnalyser(Splitter(), tmp_path)
    cached.analyse(["a"], COLUMNS)
    copy = pickle.loads(pickle.dumps(cached))
    assert list(copy.analyse(["a"], COLUMNS)) == [Splitter().sentence("a")]


def test_the_environment_chooses_the_directory(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("METAPHRASE_CACHE", raising=False)
    assert default_directory() == Path("/home/me/.cache/metaphrase")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert default_directory() == Path("/xdg/metaphrase")
    monkeypatch.setenv("METAPHRASE_CACHE", "/mine")
    assert default_directory() == Path("/mine")


def size(directory):
    return sum(path.stat().st_size for path in directory.iterdir())


def test_the_size_is_bounded(tmp_path):
    limit = 1 << 20
    for seed in range(6):
        analyse(tmp_path, texts_like(seed, 2000), limit_bytes=limit)
        assert size(tmp_path) <= limit
    # The last texts are in it all the same.
    assert analyse(tmp_path, texts_like(5, 2000)[-500:], limit_bytes=limit) == []


def test_a_smaller_bound_shrinks_the_file(tmp_path):
    analyse(tmp_path, texts_like(0, 5000), limit_bytes=1 << 25)
    assert size(tmp_path) > 1 << 20
    analyse(tmp_path, ["one more"], limit_bytes=1 << 20)
    assert size(tmp_path) <= 1 << 20


def test_an_analysis_larger_than_the_bound_is_not_kept(tmp_path):
    text = texts_like(0, 1, words=100_000)
    assert analyse(tmp_path, text, limit_bytes=1 << 20) == text
    assert size(tmp_path) < 1 << 20


def test_what_was_used_last_stays(tmp_path, monkeypatch):
    limit = 1 << 20
    now = 0
    monkeypatch.setattr(time, "time", lambda: now)
    favourites = texts_like("favourite", 100)
    analyse(tmp_path, favourites, limit_bytes=limit)
    for seed in range(6):
        now += 2 * blob_store._SECONDS_PER_TICK
        assert analyse(tmp_path, favourites, limit_bytes=limit) == []
        now += 2 * blob_store._SECONDS_PER_TICK
        # Two thirds of the room: favourites need not go for them.
        analyse(tmp_path, texts_like(seed, 1500), limit_bytes=limit)
    now += 2 * blob_store._SECONDS_PER_TICK
    assert len(analyse(tmp_path, texts_like(0, 1500), limit_bytes=limit)) == 1500


def test_a_bound_too_small_to_be_of_use_is_an_error(tmp_path):
    with pytest.raises(OptionError, match="MP290"):
        CachedAnalyser(Splitter(), tmp_path, limit_bytes=1000)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes_share_a_cache(tmp_path, start):
    texts = texts_like(0, 600)
    parts = [texts[i * 100 : i * 100 + 300] for i in range(4)]
    context = multiprocessing.get_context(start)
    workers = [context.Process(target=analyse, args=(tmp_path, part)) for part in parts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert analyse(tmp_path, texts) == []


def answer_matches(cached, texts):
    assert list(cached.analyse(texts, COLUMNS)) == list(Splitter().analyse(texts, COLUMNS))


def test_an_open_cache_survives_a_fork(tmp_path):
    cached = CachedAnalyser(Splitter(), tmp_path)
    answer_matches(cached, texts_like(0, 50))
    context = multiprocessing.get_context("fork")
    workers = [
        context.Process(target=answer_matches, args=(cached, texts_like(i, 50))) for i in range(3)
    ]
    for worker in workers:
        worker.start()
    answer_matches(cached, texts_like(9, 50))
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 3
    cached.close()
    assert analyse(tmp_path, [*texts_like(0, 50), *texts_like(2, 50), *texts_like(9, 50)]) == []


WRITER = """
import sys
from pathlib import Path
sys.path[:0] = {path!r}
import test_cache_writer as writer
analyser = writer.CachedAnalyser(writer.Splitter(), {directory!r}, limit_bytes=1 << 22)
for seed in range(10**6):
    analyser.analyse(writer.texts_like(seed, 20), writer.COLUMNS)
    print(seed, flush=True)
"""


def test_a_killed_writer_leaves_a_valid_file(tmp_path):
    module = tmp_path / "test_cache_writer.py"
    module.write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    cache = tmp_path / "cache"
    script = WRITER.format(path=[str(tmp_path), *sys.path], directory=str(cache))
    generator = random.Random(1)
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        with process:
            process.stdout.readline()
            time.sleep(generator.random() / 5)
            process.send_signal(signal.SIGKILL)
            written = process.stdout.read().split()
        last = int(written[-1]) if written else 0
        # What was reported as written is there, the file is sound, and it can be written to.
        assert analyse(cache, texts_like(last, 20)) == []
        analyse(cache, texts_like(last + 2, 20))
        with sqlite3.connect(cache / "analyses.sqlite") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()


def flip_bytes(content, generator):
    damaged = bytearray(content)
    for _ in range(generator.choice([1, 10, 1000])):
        damaged[generator.randrange(len(damaged))] ^= 1 << generator.randrange(8)
    return bytes(damaged)


DAMAGES = {
    "flipped bits": flip_bytes,
    "flipped bits in the header": lambda content, generator: (
        flip_bytes(content[:100], generator) + content[100:]
    ),
    "cut off": lambda content, generator: content[: generator.randrange(len(content))],
    "empty": lambda content, generator: b"",
    "garbage": lambda content, generator: generator.randbytes(5000),
    "zeros in the middle": lambda content, generator: (
        content[:6000] + bytes(9000) + content[15000:]
    ),
    "garbage after the header": lambda content, generator: (
        content[:4096] + generator.randbytes(len(content) - 4096)
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_file_costs_time_only(tmp_path, damage, seed):
    texts = texts_like(seed, 200)
    analyse(tmp_path, texts)
    path = tmp_path / "analyses.sqlite"
    path.write_bytes(DAMAGES[damage](path.read_bytes(), random.Random(seed)))
    analyse(tmp_path, texts)
    analyse(tmp_path, texts_like(seed + 100, 200))
    # Damage that SQLite does not meet on its way may stay, but never for long where it does.
    for _ in range(3):
        again = analyse(tmp_path, texts)
    assert again == []


# Positions in the header, from https://sqlite.org/fileformat2.html
@pytest.mark.parametrize("position", [18, 47], ids=["write version", "schema format"])
def test_a_header_of_another_format_is_replaced(tmp_path, position):
    analyse(tmp_path, ["a"])
    path = tmp_path / "analyses.sqlite"
    content = bytearray(path.read_bytes())
    content[position] = 9
    path.write_bytes(content)
    analyse(tmp_path, ["b"])
    assert analyse(tmp_path, ["b"]) == []


def test_a_file_without_its_table_is_replaced(tmp_path):
    analyse(tmp_path, ["a"])
    connection = sqlite3.connect(tmp_path / "analyses.sqlite")
    connection.execute("DROP TABLE entry")
    connection.close()
    analyse(tmp_path, ["a"])
    assert analyse(tmp_path, ["a"]) == []


def test_a_file_replaced_while_open_is_noticed(tmp_path):
    cached = CachedAnalyser(Splitter(), tmp_path)
    answer_matches(cached, ["a"])
    for path in tmp_path.iterdir():
        path.unlink()
    assert analyse(tmp_path, ["b"]) == ["b"]
    answer_matches(cached, ["a"])
    cached.close()
    assert analyse(tmp_path, ["a", "b"]) == []


def test_a_single_damaged_entry_is_analysed_again(tmp_path):
    texts = texts_like(0, 20)
    analyse(tmp_path, texts)
    connection = sqlite3.connect(tmp_path / "analyses.sqlite")
    with connection:
        (key, payload), (other, _) = connection.execute("SELECT key, payload FROM entry LIMIT 2")
        change = "UPDATE entry SET payload = ? WHERE key = ?"
        connection.execute(change, (payload[:-1] + bytes([payload[-1] ^ 1]), key))
        # A sound payload under the key of another text.
        connection.execute(change, (payload, other))
    connection.close()
    assert len(analyse(tmp_path, texts)) == 2
    assert analyse(tmp_path, texts) == []


@pytest.mark.parametrize("payload", [b"", b"\0", "text", 7, 1.5])
def test_an_entry_of_any_type_is_survived(tmp_path, payload):
    analyse(tmp_path, ["a"])
    connection = sqlite3.connect(tmp_path / "analyses.sqlite")
    with connection:
        connection.execute("UPDATE entry SET payload = ?", (payload,))
    connection.close()
    assert analyse(tmp_path, ["a"]) == ["a"]


def test_a_file_of_another_version_is_emptied(tmp_path):
    analyse(tmp_path, ["a"])
    connection = sqlite3.connect(tmp_path / "analyses.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert analyse(tmp_path, ["a"]) == ["a"]
    assert analyse(tmp_path, ["a"]) == []


def directory_in_its_place(directory):
    (directory / "analyses.sqlite" / "sub").mkdir(parents=True)
    return directory


def file_for_directory(directory):
    (directory / "file").write_text("")
    return directory / "file" / "cache"


def read_only(directory):
    if os.geteuid() == 0:
        pytest.skip("nothing is read-only for root")
    directory.chmod(0o500)
    return directory


@pytest.mark.parametrize("obstacle", [directory_in_its_place, file_for_directory, read_only])
def test_an_unusable_place_is_reported_once_and_passed_over(tmp_path, caplog, obstacle):
    directory = obstacle(tmp_path)
    cached = CachedAnalyser(Splitter(), directory)
    with caplog.at_level(logging.WARNING):
        for seed in range(3):
            answer_matches(cached, texts_like(seed, 3))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "without the cache" in caplog.text


def test_a_lock_held_for_long_is_not_waited_out(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(blob_store, "_PATIENCE_SECONDS", 0.05)
    analyse(tmp_path, ["a"])
    connection = sqlite3.connect(tmp_path / "analyses.sqlite", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    assert analyse(tmp_path, ["a", "b"]) == ["b"]
    connection.execute("COMMIT")
    connection.close()
    assert "locked" in caplog.text
    assert analyse(tmp_path, ["b"]) == ["b"]
    assert analyse(tmp_path, ["b"]) == []

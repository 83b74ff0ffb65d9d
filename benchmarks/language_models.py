"""Language models: 5 million words estimated, and queries beside KenLM's.

``python -m benchmarks.language_models``, with METAPHRASE_DATA set to the directory of the data.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import kenlm

from benchmarks.interleave import Contestant, interleave, print_table
from metaphrase.corpus.lines import LineReader
from metaphrase.learning import LanguageModel, PackedText, TextForm, estimate, read_text

#: Words that models are estimated from.
WORDS = 5_000_000
FORM = TextForm(analyser="builtin:en", lowercase=True)


def peak() -> int:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@contextmanager
def timed() -> Iterator[Callable[[str], None]]:
    """Gives a function that says how long it took to come there."""
    clock, processor = time.perf_counter(), time.process_time()

    def tell(what: str) -> None:
        seconds = time.process_time() - processor
        on_the_clock = time.perf_counter() - clock
        print(f"{what}: {seconds:.2f} s ({on_the_clock:.2f} on the clock), {peak()} MB at most")

    yield tell


def head(text: PackedText, words: int) -> PackedText:
    """The first sentences, of so many words together."""
    sentences = min(int(text.offsets.searchsorted(words)), len(text))
    end = int(text.offsets[sentences])
    return PackedText(text.offsets[: sentences + 1], text.words[:end], text.vocabulary)


def main() -> None:
    data = os.environ.get("METAPHRASE_DATA")
    if data is None:
        sys.exit("set METAPHRASE_DATA to the directory of the data")
    files = sorted(Path(data, "parallel").glob("europarl.*-en.en.gz"))
    with timed() as tell:
        whole = read_text(files, form=FORM, unique=True)
        tell(f"reading {len(whole.words):,} words, repeated lines left out")
    text = head(whole, WORDS)
    print(f"the first {len(text.words):,} of them:")
    for cut_offs in ((0,), (0, 1, 1)):
        with timed() as tell:
            model = estimate(text, cut_offs=cut_offs, form=FORM)
            tell(f"estimating {model}, cut-offs {cut_offs}")
    with TemporaryDirectory() as folder:
        arpa, compiled = Path(folder, "model.arpa"), Path(folder, "model.lm")
        for write, path in ((model.write_arpa, arpa), (model.write_binary, compiled)):
            with timed() as tell:
                write(path)
                tell(f"writing {path.name}, {path.stat().st_size / 1e6:.1f} MB")
            with timed() as tell:
                ours = LanguageModel.load(path)
                tell(f"opening {path.name}")
        config = kenlm.Config()
        config.show_progress = False
        theirs = kenlm.Model(str(arpa), config)
    with LineReader(Path(data, "parallel", "news.en.gz")) as lines:
        sentences = [line.lower().split() for _, line in lines]
    packed = PackedText.pack(sentences)
    joined = [" ".join(sentence) for sentence in sentences]
    words = len(packed.words)
    most = max(
        abs(theirs.score(sentence) - float(found))
        for sentence, found in zip(joined, ours.log_probability(packed).log10, strict=True)
    )
    print(f"{words:,} words of news, the largest difference of a sentence: {most:.5f}")
    contestants = [
        Contestant("packed text", lambda: ours.log_probability(packed), words),
        Contestant("lists of words", lambda: ours.log_probability(sentences), words),
        Contestant("KenLM, strings", lambda: [theirs.score(line) for line in joined], words),
    ]
    print_table("queries, an item is a word", interleave(contestants))


if __name__ == "__main__":
    main()

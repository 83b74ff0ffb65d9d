"""Are our word pieces those of the library tokenizers? Compared line by line, with their characters.

``METAPHRASE_DATA=… python -m experiments.word_pieces MODEL`` with the library installed. MODEL is what
``training.encoder.pretrained`` converts; all files of parallel text and all judged texts are read, in every
language, and each character that Unicode has.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from training.encoder.pretrained import read_published

from experiments.frame import data_directory
from metaphrase.trained.pretrained_encoder import PretrainedEncoder, load_pretrained

_LINES = 4096


def theirs(vocabulary: bytes) -> Tokenizer:
    """BERT's, without marks, and text like ``[SEP]`` as text."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "vocab.txt")
        path.write_bytes(vocabulary)
        found = Tokenizer(models.WordPiece.from_file(str(path), unk_token="[UNK]"))
    found.normalizer = normalizers.BertNormalizer(strip_accents=None, lowercase=True)
    found.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return found


def lines() -> Iterator[tuple[str, Iterator[str]]]:
    """Of each file."""
    files = [
        *sorted((data_directory() / "parallel").glob("*.gz")),
        *sorted((data_directory() / "judgements").glob("*.gz")),
    ]
    for path in files:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
            yield path.name, stream
    yield (
        "characters",
        (
            f"a{chr(code)}e\u0301 {chr(code)}"
            for code in range(0x110000)
            if not 0xD800 <= code < 0xE000
        ),
    )


def different(
    texts: list[str], encoder: PretrainedEncoder, tokenizer: Tokenizer, *, spans: bool = True
) -> list[str]:
    """The texts whose pieces differ, in their numbers or in the characters that they are of."""
    offsets, pieces, first, last = encoder.cut(texts)
    found = []
    for k, other in enumerate(tokenizer.encode_batch(texts, add_special_tokens=False)):
        rows = slice(offsets[k], offsets[k + 1])
        same = pieces[rows].tolist() == other.ids
        if spans:
            ours = list(zip(first[rows].tolist(), last[rows].tolist(), strict=True))
            same = same and ours == other.offsets
        if not same:
            found.append(texts[k])
    return found


def main() -> None:
    _, vocabulary = read_published(sys.argv[1])
    encoder, tokenizer = load_pretrained("shipped", "en"), theirs(vocabulary)
    total = wrong = wrong_spans = 0
    for name, some in lines():
        before = total, wrong, wrong_spans
        examples: list[str] = []
        while texts := list(islice(some, _LINES)):
            total += len(texts)
            examples += different(texts, encoder, tokenizer, spans=False)
            wrong_spans += len(different(texts, encoder, tokenizer))
        wrong += len(examples)
        print(
            f"{name}: {total - before[0]:,} lines, {wrong - before[1]:,} with other pieces, "
            f"{wrong_spans - before[2]:,} with other pieces or characters",
            *map(ascii, examples[:3]),
            flush=True,
        )
    print(f"{total:,} lines, {wrong:,} with other pieces")


if __name__ == "__main__":
    main()

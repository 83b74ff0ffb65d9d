"""A small test set in the tree of mt-metrics-eval, for tests to read or to damage."""

from __future__ import annotations

from pathlib import Path

#: Four segments in two documents; refB is a reference and scored like a system; sysC lacks a translation.
TREE: dict[str, bytes] = {
    "sources/en-de.txt": b"One cat .\nTwo cats .\nThree cats .\nFour cats .\n",
    "documents/en-de.docs": b"news\td1\nnews\td1\nchat\td2\nchat\td2\n",
    "references/en-de.refA.txt": b"Eine Katze .\nZwei Katzen .\nDrei Katzen .\nVier Katzen .\n",
    "references/en-de.refB.txt": b"Ein Kater .\nZwei Kater .\nDrei Kater .\nVier Kater .\n",
    "system-outputs/en-de/refB.txt": b"Ein Kater .\nZwei Kater .\nDrei Kater .\nVier Kater .\n",
    "system-outputs/en-de/sysA.txt": b"Eine Katze .\nZwei Katze .\nDrei .\nVier Katzen .\n",
    "system-outputs/en-de/sysC.txt": b"Katze .\n[No translation supplied]\nKatzen .\nEine Katze .\n",
    "human-scores/en-de.mqm.seg.score": b"refB\t0\nrefB\t-1.0\nrefB\tNone\nrefB\t0.0\n"
    b"sysA\t0\nsysA\t-5\nsysA\t-10\nsysA\t-0.10\nsysC\t-20\nsysC\tNone\nsysC\tNone\nsysC\t-15\n",
    "human-scores/en-de.mqm.sys.score": b"refB\t-0.33\nsysA\t-3.775\nsysC\tNone\n",
    "human-scores/en-de.mqm.domain.score": b"news\trefB\t-0.5\nchat\trefB\t0.0\nnews\tsysA\t-2.5\n"
    b"chat\tsysA\t-5.05\n",
    "metric-scores/en-de/BLEU-refA.seg.score": b"refB\t20\nrefB\t21\nrefB\t22\nrefB\t23\n"
    b"sysA\t100.0\nsysA\t50\nsysA\t30\nsysA\t1e2\nsysC\t10\nsysC\t0\nsysC\t20\nsysC\t30\n",
    "metric-scores/en-de/BLEU-refA.doc.score": b"refB\t1\nrefB\t2\nsysA\t3\nsysA\t4\nsysC\t5\nsysC\t6\n",
    "metric-scores/en-de/BLEU-refA.sys.score": b"refB\t21.5\nsysA\t70\nsysC\t15\n",
    "metric-scores/en-de/QE-x-src.seg.score": b"sysA\t1\nsysA\t2\nsysA\t3\nsysA\t4\n",
    "metric-scores/en-de/M-refA.refB.sys.score": b"sysA\t0.5\nsysC\t0.25\n",
}


def write_tree(folder: Path, files: dict[str, bytes] = TREE) -> Path:
    """The files in a folder called ``wmt99``."""
    root = folder / "wmt99"
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def read_tree(root: Path) -> dict[str, bytes]:
    """Every file of a folder by its path in there."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}

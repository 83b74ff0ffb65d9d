"""``PYTHONPATH=tests python -m determinism``: are the scores of this machine those that are recorded?

``record`` writes the hashes anew and prints what changed. ``write`` keeps all output in a folder, and
``compare`` says how far the numbers of two such folders are apart.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from determinism.distance import compare_folders
from determinism.scored_bytes import CORPORA, RECORDED, all_scored, asked, fingerprint, recorded


def main() -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(prog="python -m determinism", description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    commands = parser.add_subparsers(dest="command")
    check_some = commands.add_parser("check")
    check_some.add_argument("corpora", nargs="*", default=list(CORPORA), metavar="CORPUS")
    commands.add_parser("record")
    commands.add_parser("write").add_argument("folder", type=Path)
    compare = commands.add_parser("compare")
    compare.add_argument("one", type=Path)
    compare.add_argument("other", type=Path)
    given = parser.parse_args()
    if given.command == "compare":
        return compare_folders(given.one, given.other)
    found = {}
    corpora = getattr(given, "corpora", list(CORPORA))
    for (corpus, metric), written in all_scored(corpora, given.threads):
        found[corpus, metric] = fingerprint(written)
        if given.command == "write":
            given.folder.mkdir(parents=True, exist_ok=True)
            (given.folder / f"{corpus} {metric}.json").write_bytes(written)
    return record(found) if given.command == "record" else check(found, corpora)


def check(found: dict[tuple[str, str], str], corpora: list[str]) -> int:
    """Print which hashes are not those recorded; 1 if there are any."""
    known = {key: digest for key, digest in recorded().items() if key[0] in corpora}
    shared = found.keys() & known.keys()
    different = sorted(key for key in shared if found[key] != known[key])
    for corpus, metric in different:
        print(f"differs: {metric} on {corpus}")
    for corpus, metric in sorted(found.keys() - known.keys()):
        print(f"not recorded: {metric} on {corpus}")
    for corpus, metric in sorted(known.keys() - found.keys()):
        print(f"cannot run here: {metric} on {corpus}")
    print(f"{len(shared) - len(different)} of {len(shared)} outputs are as recorded.")
    return 1 if different or found.keys() - known.keys() else 0


def record(found: dict[tuple[str, str], str]) -> int:
    """Write the hashes and print what is new; hashes of what cannot run here stay."""
    known = recorded() if RECORDED.exists() else {}
    known = {key: digest for key, digest in known.items() if key[1] in asked()}
    for key in sorted(found):
        if found[key] != known.get(key):
            print(f"{'changed' if key in known else 'new'}: {key[1]} on {key[0]}")
    lines = [
        f"{digest} {corpus} {metric}\n" for (corpus, metric), digest in (known | found).items()
    ]
    RECORDED.write_text("".join(sorted(lines, key=lambda line: line.split()[1:])), encoding="utf-8")
    return 0


sys.exit(main())

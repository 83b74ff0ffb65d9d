"""A metric that is any program: how alike two texts are, by Python's difflib, asked over JSON lines."""

import json
import sys
from difflib import SequenceMatcher

HELLO = {"guest": 1, "name": "similarity", "version": "1.0", "bounds": [0, 1]}
READS = {"source": False, "references": "all"}
GIVES = {"deterministic": True, "higher_is_better": True}


def similarity(hypothesis: str, references: list) -> float:
    """The share of characters in common, with the reference that is most alike."""
    matchers = [SequenceMatcher(None, hypothesis, text, autojunk=False) for text in references]
    return max(matcher.ratio() for matcher in matchers)


print(json.dumps({**HELLO, **READS, **GIVES}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    scores = [similarity(row["hypothesis"], row["references"]) for row in request["rows"]]
    print(json.dumps({"id": request["id"], "scores": scores}), flush=True)

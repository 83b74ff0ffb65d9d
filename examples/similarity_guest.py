"""A metric that is any program: how alike two texts are, by Python's difflib, asked over JSON lines."""

import json
import sys
from difflib import SequenceMatcher


def say(**what):
    print(json.dumps(what), flush=True)


def similarity(hypothesis, references):
    matchers = [SequenceMatcher(None, hypothesis, text, autojunk=False) for text in references]
    return max(matcher.ratio() for matcher in matchers)


say(
    **{"guest": 1, "name": "similarity", "version": "1.0", "bounds": [0, 1]},
    **{"source": False, "references": "all", "deterministic": True, "higher_is_better": True},
)
for line in sys.stdin:
    request = json.loads(line)
    rows = request["rows"]
    scores = [similarity(row["hypothesis"], row["references"]) for row in rows]
    say(id=request["id"], scores=scores)

#!/bin/sh
# What `make demo` shows: a metric of every family, what each sees in a translation, and all of it on one page.
set -e
cd "$(dirname "$0")"
page="${TMPDIR:-/tmp}/metaphrase-report.html"
step() { printf '\n\033[1m── %s\033[0m\n' "$*"; }
run() { printf '\033[2m$ metaphrase %s\033[0m\n\n' "$*"; metaphrase "$@"; }

step "Two systems, scored by accord beside BLEU and chrF"
run score reference.txt -i system-a.txt system-b.txt

step "accord says what each kind of loss costs, and on which words"
run explain reference.txt -i system-b.txt -m accord --segment 8

step "A metric of every family"
run score reference.txt -i system-a.txt system-b.txt -m accord cobalt ppda+f pbe tesla tesla-m meteor:paraphrases=none bleu chrf

step "UPF-Cobalt aligns words, and says which contexts they do not share"
run explain reference.txt -i system-b.txt -m cobalt --segment 8

step "pPDA+f turns the reference into the translation, edit by edit"
run explain reference.txt -i system-b.txt -m ppda+f --segment 12

step "PBE maps noun and verb phrases"
run explain reference.txt -i system-b.txt -m pbe --segment 12

step "METEOR matches words, stems and synonyms in as few chunks as it can"
run explain reference.txt -i system-b.txt -m meteor:paraphrases=none --segment 12

step "TESLA also reads both sides through four pivot languages (the end of a long explanation)"
printf '\033[2m$ metaphrase explain reference.txt -i system-b.txt -m tesla --segment 12\033[0m\n\n'
metaphrase explain reference.txt -i system-b.txt -m tesla --segment 12 | sed -n '/^part of the score/,/^score/p'

step "TESLA-CELAB compares Chinese without cutting it into words; 雨伞 and 伞 are synonyms"
run explain zh/reference.txt -i zh/system-a.txt -l zh -m celab:dictionary=file:zh/synonyms.tsv --segment 1

step "Is the difference significant?"
run score reference.txt -i system-b.txt system-a.txt -m accord bleu --paired-bs

step "Everything on one page"
run report reference.txt -i system-a.txt system-b.txt -m accord cobalt ppda+f pbe tesla tesla-m meteor:paraphrases=none bleu chrf \
    --documents documents.txt --title "The bundled example" -o "$page"
printf '\nOpen it in a browser: file://%s\n' "$page"
printf 'Next: docs/tutorial.md, and docs/which-metric.md to choose a metric.\n'

#!/bin/sh
# What `make demo` shows: two systems against a reference, the reasons for low scores, then all of it as a page.
set -e
here=$(dirname "$0")
run() { printf '\n\033[1m$ metaphrase %s\033[0m\n\n' "$*"; metaphrase "$@"; }
cd "$here"
run score reference.txt -i system-a.txt system-b.txt -m cobalt ppda+f pbe tesla-m bleu chrf --level system segment
run explain reference.txt -i system-b.txt -m tesla-m
run explain reference.txt -i system-b.txt -m cobalt --segment 8
run explain reference.txt -i system-b.txt -m ppda+f --segment 1
page="${TMPDIR:-/tmp}/metaphrase-report.html"
run report reference.txt -i system-a.txt system-b.txt -m cobalt ppda+f pbe tesla-m bleu chrf --documents documents.txt --title "The bundled example" -o "$page"
printf '\nOpen it in a browser: file://%s\n' "$page"

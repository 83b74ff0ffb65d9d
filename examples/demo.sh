#!/bin/sh
# What `make demo` shows: two systems against a reference, then the reason for one low score.
set -e
here=$(dirname "$0")
say() { printf '\n\033[1m$ metaphrase %s\033[0m\n\n' "$*"; }
cd "$here"
say score reference.txt -i system-a.txt system-b.txt -m tesla-m bleu chrf --level system segment
metaphrase score reference.txt -i system-a.txt system-b.txt -m tesla-m bleu chrf --level system segment
say explain reference.txt -i system-b.txt -m tesla-m
metaphrase explain reference.txt -i system-b.txt -m tesla-m

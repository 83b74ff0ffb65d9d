#!/usr/bin/env bash
# Refuses a commit that makes translations worse. As a hook of pre-commit.com it is given the files; as
# .git/hooks/pre-commit it asks git for them. What is judged is what would be committed, not what lies in the
# folder, and baseline and rules are those of the last commit.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
if [ $# -eq 0 ]; then
  mapfile -t files < <(git diff --cached --name-only --diff-filter=ACM -- 'locales/app.*.xlf')
  set -- "${files[@]}"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git show HEAD:metaphrase-gate.toml > "$folder/rules.toml"
worst=0
for file in "$@"; do
  language=${file#locales/app.}
  language=${language%.xlf}
  git show ":$file" > "$folder/app.$language.xlf"
  git show "HEAD:locales/baseline.$language.json" > "$folder/baseline.json"
  code=0
  metaphrase gate "locales/reviewed.$language.xlf" -i app="$folder/app.$language.xlf" \
    --baseline "$folder/baseline.json" --rules "$folder/rules.toml" || code=$?
  [ "$code" -le "$worst" ] || worst=$code
done
exit "$worst"

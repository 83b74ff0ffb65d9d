#!/bin/sh
# The suite on the wheels of dist/ in a new environment that has none of our sources on its path:
#   release/test_installed.sh wheel    with the versions that we develop with
#   release/test_installed.sh oldest   with the oldest that the package allows
#   release/test_installed.sh newest   with the newest that there are
# What follows goes to pytest. The trainers of models, which no wheel of ours carries, are in build/training.
set -eu
cd "$(dirname "$0")/.."
kind=$1
shift
folder=build/test-$kind
core=$(ls dist/metaphrase-[0-9]*.whl)
rm -rf "$folder"
"${PYTHON:-python3}" -m venv "$folder"
pip() { "$folder/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
# First with what it needs to run and nothing else: this is what most people have.
case $kind in
  wheel) pip install --find-links dist "$core" -c requirements/runtime.txt ;;
  oldest) pip install --find-links dist "$core" -c requirements/oldest.txt ;;
  newest) pip install --find-links dist "$core" ;;
  *) echo "$0: wheel, oldest or newest, not $kind" >&2; exit 2 ;;
esac
"$folder/bin/metaphrase" demo "$folder/demo" > /dev/null
case $kind in
  wheel) pip install -r requirements/developer.txt -c requirements/runtime.txt ;;
  oldest) pip install --find-links dist "$core[all]" -r requirements/test.txt -c requirements/oldest.txt ;;
  newest) pip install --find-links dist "$core[all]" -r requirements/test.txt ;;
esac
pip install --no-deps build/training/*.whl
METAPHRASE_INSTALLED=required "$folder/bin/python" -m pytest "$@"

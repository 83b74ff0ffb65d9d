#!/bin/sh
# build.sh KIND PYTHON: both extensions, compiled with sanitizers (KIND is address or thread), with the package around
# them in build/KIND/site, beside the virtual environment of PYTHON, which stays as it is.
set -eu
kind=$1 python=$2 folder=build/$1
export CXX="${CXX:-c++}"
flags=-fsanitize=$kind
if [ "$kind" = address ]; then flags=-fsanitize=address,undefined; fi
mkdir -p "$folder"
if ! echo 'int main() {}' | "$CXX" $flags -x c++ - -o "$folder/probe" || ! "$folder/probe"; then
  echo "$CXX cannot link and run a program with $flags: the sanitizer's runtime is missing." >&2
  echo 'Debian and Ubuntu have it in g++; Fedora in libasan, libubsan and libtsan; Alpine has none.' >&2
  exit 1
fi
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}"; fi
rm -rf "$folder/site"
for package in . ./packages/metaphrase-training; do
  "$python" -m pip --disable-pip-version-check --quiet install --no-build-isolation --no-deps --upgrade \
    --target "$folder/site" --config-settings cmake.build-type=Debug \
    --config-settings cmake.define.METAPHRASE_SANITIZE="$kind" \
    --config-settings build-dir="$PWD/$folder/compiled/$(basename "$(realpath "$package")")" "$package"
done
touch "$folder/.installed"

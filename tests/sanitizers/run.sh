#!/bin/sh
# run.sh KIND PYTHON ARGUMENT…: pytest with the extensions of build/KIND. All processes that the tests start are watched,
# and findings go into files, so that no test can swallow them.
set -u
kind=$1 python=$2
shift 2
folder=$PWD/build/$kind
findings=$folder/findings
rm -rf "$findings"
mkdir -p "$findings"

# Python is not compiled with sanitizers, so that their runtimes have to be loaded before it; libstdc++ as well, since
# they look for what throws its exceptions when they start.
runtimes=$(ldd "$folder"/site/metaphrase/_core*.so | sed -n 's/^.*lib\(asan\|ubsan\|tsan\|stdc++\)\.so.* => \(.*\) (.*$/\2/p')
if [ -z "$runtimes" ]; then echo "build/$kind has no extension with sanitizers." >&2; exit 1; fi
case $kind in
# CPython leaves memory to the end of the process by design, so that leaks are counted by a test instead (test_leaks.py).
# A kernel that asks for too much memory gets none, as without sanitizers.
address)
  export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:log_path=$findings/address"
  export UBSAN_OPTIONS="print_stacktrace=1:log_path=$findings/undefined"
  export PYTHONMALLOC=malloc  # CPython's own allocator would hide where one of its objects ends
  ;;
thread)
  export TSAN_OPTIONS="suppressions=$PWD/tests/sanitizers/thread.txt:log_path=$findings/thread"
  ;;
esac

PYTHONPATH=$folder/site PATH=$folder/site/bin:$PATH LD_PRELOAD=$(echo $runtimes) \
  "$python" -m pytest -p no:faulthandler "$@"
status=$?
if [ -n "$(ls "$findings")" ]; then
  head -n 60 "$findings"/*
  echo "$(ls "$findings" | wc -l) processes had findings: $findings" >&2
  exit 1
fi
exit $status

#!/bin/sh
# run.sh KIND PYTHON ARGUMENT…: pytest with the extensions of build/KIND, on all tests that concern it if no argument
# names some. All processes that the tests start are watched, and findings go into files, so that no test can swallow
# them.
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
address)
  # CPython leaves memory to the end of a process by design: tests/test_leaks.py looks for leaks instead. Whoever asks
  # for too much memory gets none, as without sanitizers.
  export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:log_path=$findings/address"
  export UBSAN_OPTIONS="print_stacktrace=1:log_path=$findings/undefined"
  export PYTHONMALLOC=malloc  # CPython's own allocator would hide where one of its objects ends
  ;;
thread)
  export TSAN_OPTIONS="die_after_fork=0:suppressions=$PWD/tests/sanitizers/thread.txt:log_path=$findings/thread"
  ;;
esac

# What does not reach the core, or cannot be watched: browsers and clusters are programs of others, which do not start
# with a runtime preloaded; tests/faults preloads a library of its own; a limit of memory leaves no room for shadow
# memory; and the blocks of the documentation repeat for an hour what other tests do.
left_out="--ignore=tests/browser --ignore=tests/faults --ignore=tests/jobs/test_clusters.py
  --ignore=tests/test_documentation.py
  --deselect=tests/cli/test_mistakes.py::TestMistakes::test_too_many_threads_do_not_end_the_process
  --deselect=tests/serve/test_api.py::TestLimits::test_one_that_needs_too_much_memory_fails_alone"

PYTHONPATH=$PWD/tests/sanitizers:$folder/site PATH=$folder/site/bin:$PATH LD_PRELOAD=$(echo $runtimes) \
  "$python" -m pytest -p no:faulthandler $left_out "$@"
status=$?
if [ -n "$(ls "$findings")" ]; then
  head -n 60 "$findings"/*
  echo "$(ls "$findings" | wc -l) processes had findings: $findings" >&2
  exit 1
fi
exit $status

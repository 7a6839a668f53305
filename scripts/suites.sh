# shellcheck shell=bash
# Sourced by scripts that run test suites: runs each to its end, whatever the others do, and adds up their results.
# A suite leaves JUnit files in $results/NAME/; its output goes to $results/NAME/log and is shown when it fails.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=$root/build/results/$(basename "$0")
passed=0
failed=0

# suite NAME SECONDS COMMAND…: runs a suite that may take so many seconds and must hold at least one test.
suite() {
  local name=$1 limit=$2 status=0 start=$SECONDS counts running
  shift 2
  rm -rf "${results:?}/$name"
  mkdir -p "$results/$name"
  timeout --kill-after=30 "$limit" "$@" >"$results/$name/log" 2>&1 </dev/null &
  running=$!
  trap 'kill "$running"; exit 130' INT TERM
  wait "$running" || status=$?
  trap - INT TERM
  counts=$("$root/scripts/tally" --exit-status "$status" "$results/$name")
  echo "$counts" >"$results/$name/counts"
  if [[ $status != 0 || $counts != *" 0" ]]; then
    printf '\n---- %s: status %s, the end of %s:\n' "$name" "$status" "build/results/${results##*/}/$name/log"
    tail -n 300 "$results/$name/log"
    printf -- '---- %s\n\n' "$name"
  fi
  printf '%-12s %5d passed  %3d failed  %4d s\n' "$name" "${counts% *}" "${counts#* }" $(( SECONDS - start ))
}

# Prints the sum of the suites NAME… as the last line; answers whether all went well. One without counts has failed.
finish() {
  local name counts
  for name; do
    counts=$(cat "$results/$name/counts") || counts="0 1"
    (( passed += ${counts% *}, failed += ${counts#* } )) || true
  done
  printf '%d passed, %d failed\n' "$passed" "$failed"
  (( failed == 0 && passed > 0 ))
}

swift_flags=(--package-path "$root" --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors)

# The suites. Each is a command of its own, `bash SCRIPT --suite NAME`, so that `timeout` can end it.

# swift_suite NAME SCRATCH FLAGS…: the Swift tests, built in build/SCRATCH. All at once, those that compute would hold up
# those that talk to a server, until it gives up on them.
swift_suite() {
  local name=$1 flags=("${swift_flags[@]}" "${@:3}")
  "$root/scripts/swift" "$2" build --build-tests "${flags[@]}"
  "$root/scripts/with-peers" "$root/scripts/swift" "$2" test --skip-build --disable-xctest "${flags[@]}" \
    --experimental-maximum-parallelization-width 6 --xunit-output "$results/$name/junit.xml"
}

# c_suite NAME CTEST-ARGUMENTS…: the C programs, or those that the arguments choose.
c_suite() {
  local name=$1 built=0
  [[ -f $root/build/cmake/build.ninja ]] || cmake -S "$root" -B "$root/build/cmake" -G Ninja
  cmake --build "$root/build/cmake" -- -k 0 || built=$?
  "$root/scripts/with-peers" ctest --test-dir "$root/build/cmake" --parallel 2 --output-on-failure \
    --output-junit "$results/$name/junit.xml" "${@:2}"
  return "$built"
}

# pytest_suite NAME PATH…: Python tests in build/venv.
pytest_suite() {
  local name=$1
  PYTHONPATH=$root/bindings/python/src NETCORE_LIBRARY=$root/build/libnetcore.so \
    "$root/scripts/with-peers" "$root/build/venv/bin/python" -m pytest -p no:cacheprovider -ra --tb=short \
    -o tmp_path_retention_policy=failed \
    --junit-xml "$results/$name/junit.xml" "${@:2}"
}

# Running test projects and reading the summaries of Microsoft.Testing.Platform.

# No test project may take longer than this: a test that hangs must end the run, not block it.
PROJECT_LIMIT_SECONDS=780

# select_projects NAME...: the test projects whose name ends in one of the names; all without a name.
select_projects() {
  local project name
  for project in tests/Postrider.*Tests/; do
    project=$(basename "$project")
    [ $# -gt 0 ] || echo "$project"
    for name in "$@"; do
      case $project in *"$name") echo "$project" ;; esac
    done
  done
}

# among SUFFIX: the selected project with that ending, or nothing.
among() {
  local project
  for project in "${projects[@]}"; do
    case $project in *"$1") echo "$project" ;; esac
  done
}

run_together() {
  local project
  for project in "$@"; do
    [ -z "$project" ] || run_project "$project" &
  done
  wait
}

run_in_turn() {
  local project
  for project in "$@"; do
    [ -z "$project" ] || run_project "$project"
  done
}

run_project() {
  local project=$1 log=$ARTIFACTS/test/$1.log status=0
  timeout --kill-after=10 "$PROJECT_LIMIT_SECONDS" "tests/$project/bin/Release/net10.0/$project" \
    --progress off --no-ansi ${runner_arguments[@]+"${runner_arguments[@]}"} >"$log" 2>&1 || status=$?
  echo "$status" >"$ARTIFACTS/test/$project.status"
  local passed failed skipped
  passed=$(count succeeded "$log")
  failed=$(count failed "$log")
  skipped=$(count skipped "$log")
  say "$project: ${passed:-?} passed, ${failed:-?} failed, ${skipped:-?} skipped ($(summary_line duration "$log"))"
}

# A failure among so few may be the machine's (a process that got no time, a port that was taken in between): the test is
# run once more by itself, and the run reports it. More failures, or one without sockets and processes, are never the machine's.
RERUN_LIMIT=3

# rerun_failures PROJECT...: removes the failures of tests that pass by themselves; their names stay in the output.
# POSTRIDER_NO_RERUN=1 keeps every failure, to find such tests.
rerun_failures() {
  local project log name names
  [ -z "${POSTRIDER_NO_RERUN:-}" ] || return 0
  for project in "$@"; do
    log=$ARTIFACTS/test/$project.log
    [ -n "$(count failed "$log")" ] || continue
    # Theories are run with all their rows: arguments do not survive as a filter.
    names=$(failed_names "$log" | sort -u)
    [ -n "$names" ] && [ "$(count failed "$log")" -le "$RERUN_LIMIT" ] || continue
    for name in $names; do
      if timeout --kill-after=10 "$PROJECT_LIMIT_SECONDS" "tests/$project/bin/Release/net10.0/$project" \
        --progress off --no-ansi --filter-method "$name" >"$ARTIFACTS/test/$name.again.log" 2>&1; then
        warn "$name failed in the run and passed by itself: its fault stays to be found (artifacts/test/$project.log)"
        echo "$name" >>"$ARTIFACTS/test/$project.again"
      fi
    done
  done
}

# passed_again PROJECT LOG: how many of the failures passed by themselves.
passed_again() {
  [ ! -e "$ARTIFACTS/test/$1.again" ] || failed_names "$2" | grep -cxFf "$ARTIFACTS/test/$1.again" || true
}

# failed_names LOG: a line for each failure, without the arguments of a theory.
failed_names() { sed -n 's/^failed \([A-Za-z0-9_.+]*\).*/\1/p' "$1"; }

# close_run: shows the failures, adds the numbers up, and ends with the final line.
close_run() {
  local project log status passed=0 failed=0 p f s again
  for project in "${projects[@]}"; do
    log=$ARTIFACTS/test/$project.log
    status=$(cat "$ARTIFACTS/test/$project.status")
    p=$(count succeeded "$log")
    f=$(count failed "$log")
    s=$(count skipped "$log")
    again=$(passed_again "$project" "$log")
    passed=$((passed + ${p:-0} + ${again:-0}))
    failed=$((failed + ${f:-0} - ${again:-0}))
    if [ -z "$p" ]; then
      warn "$project ended with status $status and no summary (124: over $PROJECT_LIMIT_SECONDS s):"
      failed=$((failed + 1))
    elif [ "${s:-0}" -gt 0 ]; then
      warn "$project skipped $s: a skipped test proves nothing and counts as failed"
      failed=$((failed + s))
    elif [ "$p" = 0 ] && [ "$f" = 0 ]; then
      warn "$project ran no test"
      failed=$((failed + 1))
    elif [ "$status" != 0 ] && [ "$f" = 0 ]; then
      warn "$project ended with status $status although no test failed:"
      failed=$((failed + 1))
    fi
    [ "$status" = 0 ] || show_failures "$log"
  done
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

show_failures() {
  warn "the end of ${1#"$POSTRIDER_ROOT"/}:"
  grep -v '^passed ' "$1" | tail -n 120 >&2
}

# count WORD LOG: the number after '  WORD: ' in the run summary.
count() { summary_line "$1" "$2" | grep -o '^[0-9]*' || true; }

summary_line() { sed -n '/^Test run summary:/,$p' "$2" | sed -n "s/^ *$1: *//p" | head -n 1; }

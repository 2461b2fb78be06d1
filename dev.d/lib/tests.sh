# Running test projects and reading the summaries of Microsoft.Testing.Platform.

# No test project may take longer than this; a hang must end the run, not hold it.
PROJECT_LIMIT_SECONDS=600

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

# close_run: shows what failed, adds up, and ends with the line that counts.
close_run() {
  local project log status passed=0 failed=0 p f s
  for project in "${projects[@]}"; do
    log=$ARTIFACTS/test/$project.log
    status=$(cat "$ARTIFACTS/test/$project.status")
    p=$(count succeeded "$log")
    f=$(count failed "$log")
    s=$(count skipped "$log")
    passed=$((passed + ${p:-0}))
    failed=$((failed + ${f:-0}))
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

# count WORD LOG: the number behind '  WORD: ' in the run summary.
count() { summary_line "$1" "$2" | grep -o '^[0-9]*' || true; }

summary_line() { sed -n '/^Test run summary:/,$p' "$2" | sed -n "s/^ *$1: *//p" | head -n 1; }

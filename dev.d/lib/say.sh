# Output to the terminal. Everything that a verb itself prints starts with 'dev:'.

say() { printf 'dev: %s\n' "$*"; }

warn() { printf 'dev: %s\n' "$*" >&2; }

fail() {
  printf 'dev: %s\n' "$*" >&2
  [ -z "${NEEDED_FOR:-}" ] || printf 'dev: That is needed for %s.\n' "$NEEDED_FOR" >&2
  exit 1
}

# run_quietly LOG COMMAND...: keeps the output in LOG and shows its end only when the command fails.
run_quietly() {
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 || status=$?
  [ "$status" != 0 ] || return 0
  warn "'$*' failed with status $status; the end of ${log#"$POSTRIDER_ROOT"/}:"
  tail -n 40 "$log" >&2
  if grep -qE 'NU1101|NU1102|NU1301' "$log"; then
    warn "packages are missing and the feed does not answer: this machine needs the network once, or a folder with the"
    warn "packages (NUGET_PACKAGES names it; it is ~/.nuget/packages otherwise)."
  fi
  return "$status"
}

# run_building LOG COMMAND...: run_quietly for what takes minutes. Every BUILD_NEWS_SECONDS (15) a line says for how long
# it has been running and which project was built last; MSBuild writes those to the log at -v minimal.
run_building() {
  local log=$1 status=0 reporter
  report_building "$log" &
  reporter=$!
  run_quietly "$@" || status=$?
  kill "$reporter" 2>/dev/null || true
  wait "$reporter" 2>/dev/null || true
  return "$status"
}

report_building() {
  local began=$SECONDS last elapsed
  # Without the output, so that a reader of a pipe does not wait for the last sleep. $$ is the verb itself.
  while sleep "${BUILD_NEWS_SECONDS:-15}" >/dev/null 2>&1 && kill -0 "$$" 2>/dev/null; do
    elapsed=$((SECONDS - began))
    last=$(sed -n 's/^ *\([A-Za-z][A-Za-z0-9.-]*\) -> .*/\1/p' "$1" 2>/dev/null | tail -n 1) || true
    say "  $((elapsed / 60)) min $((elapsed % 60)) s${last:+, built $last}"
  done
}

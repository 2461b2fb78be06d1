# Words for the terminal. Everything a verb says by itself starts with 'dev:'.

say() { printf 'dev: %s\n' "$*"; }

warn() { printf 'dev: %s\n' "$*" >&2; }

fail() {
  printf 'dev: %s\n' "$*" >&2
  exit 1
}

# run_quietly LOG COMMAND...: keeps the output in LOG and shows its end only when the command fails.
run_quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if "$@" >"$log" 2>&1; then return 0; fi
  local status=$?
  warn "'$*' failed with status $status; the end of ${log#"$POSTRIDER_ROOT"/}:"
  tail -n 40 "$log" >&2
  return "$status"
}

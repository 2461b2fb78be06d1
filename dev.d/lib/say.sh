# Words for the terminal. Everything a verb says by itself starts with 'dev:'.

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

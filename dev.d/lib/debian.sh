# A private view of Debian's suite sid: own sources, lists, cache and state below artifacts/, the system's mirror and
# keyring. Nothing in the system changes and no root is needed.

SID=$ARTIFACTS/debian-sid
SID_ROOT=$SID/root
SID_SOAP=$SID/soap
SID_GSOAP=$SID/gsoap
SID_MOTO=$SID/moto
RABBITMQ_ROOT=$ARTIFACTS/rabbitmq/root
RABBITMQ4_ROOT=$ARTIFACTS/rabbitmq4/root
POSTGRES_ROOT=$ARTIFACTS/postgres/root

sid_apt() {
  local tool=$1
  shift
  "$tool" -o Dir::Etc::sourcelist="$SID/sources.list" -o Dir::Etc::sourceparts="$SID/none" \
    -o Dir::Etc::preferences="$SID/none/x" -o Dir::Etc::preferencesparts="$SID/none" \
    -o Dir::State="$SID/state" -o Dir::State::status="$SID/status" -o Dir::Cache="$SID/cache" \
    -o Debug::NoLocking=true -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none \
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@"
}

# The address of the mirror that this machine is configured with.
debian_mirror() {
  apt-get indextargets --no-release-info --format '$(REPO_URI) $(COMPONENT) $(RELEASE)' 'Created-By: Packages' |
    awk '$2 == "main" && $3 !~ /security/ && $1 ~ /debian\/?$/ { print $1; exit }'
}

# fetch_from_sid FOLDER PACKAGE...: the packages and all that they depend on, unpacked in FOLDER.
fetch_from_sid() {
  local root=$1
  shift
  local help=${SID_HELP:-"The interop tests need them; nothing else does."}
  local tool mirror
  for tool in apt-get apt-cache dpkg dpkg-deb; do
    command -v "$tool" >/dev/null || fail "this machine has no $tool: $* cannot be had from Debian. $help"
  done
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || fail "this machine's apt knows no Debian mirror. $help"

  say "fetching $* from Debian's sid (unpacked at ${root#"$POSTRIDER_ROOT"/}; the system is not changed)"
  mkdir -p "$SID/none" "$SID/state/lists/partial" "$SID/cache/archives/partial" "$SID/packages"
  # An empty list of installed packages: what is needed is then named whole, down to the C library.
  : >"$SID/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >"$SID/sources.list"
  run_quietly "$ARTIFACTS/log/sid-update.log" sid_apt apt-get update --error-on=any ||
    fail "the package list of sid could not be fetched (no network?). $help"

  local names
  names=$(sid_apt apt-get install -s --no-install-recommends "$@" | awk '$1 == "Inst" { print $2 }') || true
  [ -n "$names" ] || fail "sid has none of these that install: $*. $help"
  rm -rf "$root" "$SID"/packages/*
  # shellcheck disable=SC2086
  (cd "$SID/packages" && run_quietly "$ARTIFACTS/log/sid-download.log" sid_apt apt-get download $names) ||
    fail "the packages could not be downloaded from sid. $help"
  local package
  mkdir -p "$root"
  for package in "$SID"/packages/*.deb; do dpkg -x "$package" "$root"; done
  rm -rf "$SID/packages"
  echo "$*" >"$root/.complete"
}

# fetch_rabbitmq: the RabbitMQ of this machine's own suite and what it needs beyond what is installed, unpacked in RABBITMQ_ROOT.
fetch_rabbitmq() {
  local help="Unpack RabbitMQ and Erlang somewhere and name the folder that has their usr/lib in POSTRIDER_RABBITMQ."
  local tool names packages=$ARTIFACTS/rabbitmq/packages
  for tool in apt-get dpkg dpkg-deb; do
    command -v "$tool" >/dev/null || fail "this machine has no $tool: RabbitMQ cannot be had from Debian. $help"
  done
  names=$(rabbitmq_packages)
  if [ -z "$names" ] && [ "$(id -u)" = 0 ]; then
    run_quietly "$ARTIFACTS/log/apt-update.log" apt-get update || fail "the package list could not be fetched (no network?). $help"
    names=$(rabbitmq_packages)
  fi
  [ -n "$names" ] || fail "apt knows no rabbitmq-server that installs here. $help"

  say "fetching Debian's rabbitmq-server (unpacked at ${RABBITMQ_ROOT#"$POSTRIDER_ROOT"/}; the system is not changed)"
  rm -rf "$RABBITMQ_ROOT" "$packages"
  mkdir -p "$RABBITMQ_ROOT" "$packages"
  # shellcheck disable=SC2086
  (cd "$packages" && run_quietly "$ARTIFACTS/log/rabbitmq-download.log" apt-get -o APT::Sandbox::User="$(id -un)" download $names) ||
    fail "the packages of RabbitMQ could not be downloaded (no network?). $help"
  local package
  for package in "$packages"/*.deb; do dpkg -x "$package" "$RABBITMQ_ROOT"; done
  rm -rf "$packages"
  # Erlang's starter names the folder that it was packaged for.
  sed -i "s|ROOTDIR=/usr/lib/erlang|ROOTDIR=$RABBITMQ_ROOT/usr/lib/erlang|" "$RABBITMQ_ROOT/usr/lib/erlang/bin/erl"
  echo "$names" >"$RABBITMQ_ROOT/.complete"
}

rabbitmq_packages() { apt-get install -s --no-install-recommends rabbitmq-server 2>/dev/null | awk '$1 == "Inst" { print $2 }' || true; }

# fetch_rabbitmq4: sid's RabbitMQ and Erlang, whose programs name the C library that was unpacked with them.
fetch_rabbitmq4() {
  SID_HELP="Unpack RabbitMQ 4.3 and Erlang somewhere and name the folder that has their usr/lib in POSTRIDER_RABBITMQ4." \
    fetch_from_sid "$RABBITMQ4_ROOT" rabbitmq-server patchelf
  rm "$RABBITMQ4_ROOT/.complete"
  say "making its programs run here"
  local libraries=$RABBITMQ4_ROOT/usr/lib/x86_64-linux-gnu file
  local loader=$libraries/ld-linux-x86-64.so.2
  local patchelf=("$loader" --library-path "$libraries" "$RABBITMQ4_ROOT/usr/bin/patchelf")
  while IFS= read -r file; do
    [ "$(head -c 4 "$file" | tr -d '\0')" = $'\x7fELF' ] || continue
    if "${patchelf[@]}" --print-interpreter "$file" >/dev/null 2>&1; then "${patchelf[@]}" --set-interpreter "$loader" "$file"; fi
    "${patchelf[@]}" --set-rpath "$libraries" "$file"
  done < <(find "$RABBITMQ4_ROOT/usr/lib/erlang" -type f -size +4k)
  sed -i "s|ROOTDIR=/usr/lib/erlang|ROOTDIR=$RABBITMQ4_ROOT/usr/lib/erlang|" "$RABBITMQ4_ROOT/usr/lib/erlang/bin/erl"
  echo rabbitmq-server >"$RABBITMQ4_ROOT/.complete"
}

# fetch_postgres: the PostgreSQL of this machine's own suite and what it needs beyond what is installed, unpacked in POSTGRES_ROOT.
fetch_postgres() {
  local help="Install PostgreSQL, or name the folder of its programs in POSTRIDER_POSTGRES."
  local tool names packages=$ARTIFACTS/postgres/packages
  for tool in apt-get dpkg dpkg-deb; do
    command -v "$tool" >/dev/null || fail "this machine has no $tool: PostgreSQL cannot be had from Debian. $help"
  done
  names=$(postgres_packages)
  if [ -z "$names" ] && [ "$(id -u)" = 0 ]; then
    run_quietly "$ARTIFACTS/log/apt-update.log" apt-get update || fail "the package list could not be fetched (no network?). $help"
    names=$(postgres_packages)
  fi
  [ -n "$names" ] || fail "apt knows no postgresql that installs here. $help"

  say "fetching Debian's postgresql (unpacked at ${POSTGRES_ROOT#"$POSTRIDER_ROOT"/}; the system is not changed)"
  rm -rf "$POSTGRES_ROOT" "$packages"
  mkdir -p "$POSTGRES_ROOT" "$packages"
  # shellcheck disable=SC2086
  (cd "$packages" && run_quietly "$ARTIFACTS/log/postgres-download.log" apt-get -o APT::Sandbox::User="$(id -un)" download $names) ||
    fail "the packages of PostgreSQL could not be downloaded (no network?). $help"
  local package
  for package in "$packages"/*.deb; do dpkg -x "$package" "$POSTGRES_ROOT"; done
  rm -rf "$packages"
  echo "$names" >"$POSTGRES_ROOT/.complete"
}

postgres_packages() { apt-get install -s --no-install-recommends postgresql 2>/dev/null | awk '$1 == "Inst" { print $2 }' || true; }

# postgres_programs FOLDER: where the programs of the newest version below it are, or nothing.
postgres_programs() {
  local found
  found=$(find "$1" -mindepth 3 -maxdepth 3 -path '*/bin/postgres' 2>/dev/null | sort -V | tail -n 1)
  [ -z "$found" ] || dirname "$found"
}

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
ARM64_ROOT=$ARTIFACTS/arm64/root
ARM64_SYSTEM=$ARTIFACTS/arm64/system

sid_apt() {
  local tool=$1 architecture=${SID_ARCHITECTURE:-$(dpkg --print-architecture)}
  shift
  "$tool" -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::Etc::sourcelist="$SID/sources.list" -o Dir::Etc::sourceparts="$SID/none" \
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

# need_apt WHAT HELP: the programs that unpack Debian's packages.
need_apt() {
  local tool
  for tool in apt-get dpkg dpkg-deb; do
    command -v "$tool" >/dev/null || fail "this machine has no $tool: $1 cannot be had from Debian. $2"
  done
}

# update_apt: the package list, which may be missing on a fresh machine.
update_apt() { [ "$(id -u)" != 0 ] || run_quietly "$ARTIFACTS/log/apt-update.log" apt-get update; }

# packages_of PACKAGE: it and what it needs beyond what is installed, in the order of their installation.
packages_of() { apt-get install -s --no-install-recommends "$1" 2>/dev/null | awk '$1 == "Inst" { print $2 }' || true; }

# unpack_debian FOLDER WHAT HELP PACKAGE...: packages of this machine's own suite, unpacked in FOLDER.
unpack_debian() {
  local root=$1 what=$2 help=$3 package packages=$1.packages
  shift 3
  say "fetching Debian's $what (unpacked at ${root#"$POSTRIDER_ROOT"/}; the system is not changed)"
  rm -rf "$root" "$packages"
  mkdir -p "$root" "$packages"
  (cd "$packages" && run_quietly "$ARTIFACTS/log/$what-download.log" apt-get -o APT::Sandbox::User="$(id -un)" download "$@") ||
    fail "the packages of $what could not be downloaded (no network?). $help"
  for package in "$packages"/*.deb; do dpkg -x "$package" "$root"; done
  rm -rf "$packages"
}

# fetch_debian FOLDER PACKAGE HELP: a package of this machine's own suite and what it needs beyond what is installed, unpacked in FOLDER.
fetch_debian() {
  local root=$1 package=$2 help=$3 names
  need_apt "$package" "$help"
  names=$(packages_of "$package")
  if [ -z "$names" ]; then
    update_apt || fail "the package list could not be fetched (no network?). $help"
    names=$(packages_of "$package")
  fi
  [ -n "$names" ] || fail "apt knows no $package that installs here. $help"
  # shellcheck disable=SC2086
  unpack_debian "$root" "$package" "$help" $names
}

# fetch_rabbitmq: the RabbitMQ of this machine's own suite.
fetch_rabbitmq() {
  fetch_debian "$RABBITMQ_ROOT" rabbitmq-server "Unpack RabbitMQ and Erlang somewhere and name the folder that has their usr/lib in POSTRIDER_RABBITMQ."
  # Erlang's starter names the folder that it was packaged for.
  sed -i "s|ROOTDIR=/usr/lib/erlang|ROOTDIR=$RABBITMQ_ROOT/usr/lib/erlang|" "$RABBITMQ_ROOT/usr/lib/erlang/bin/erl"
  echo rabbitmq-server >"$RABBITMQ_ROOT/.complete"
}

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

# fetch_postgres: the PostgreSQL of this machine's own suite.
fetch_postgres() {
  fetch_debian "$POSTGRES_ROOT" postgresql "Install PostgreSQL, or name the folder of its programs in POSTRIDER_POSTGRES."
  echo postgresql >"$POSTGRES_ROOT/.complete"
}

# fetch_arm64: the libraries that programs for arm64 processors are linked with, and an emulator that runs them, in ARM64_ROOT; the
# libraries that they run with, in ARM64_SYSTEM.
fetch_arm64() {
  local compiler help="Only ./dev build --arm64 and ./dev pack --arm64 need them."
  need_apt "the libraries for arm64" "$help"
  compiler=$(arm64_compiler_libraries)
  if [ -z "$compiler" ]; then
    update_apt || fail "the package list could not be fetched (no network?). $help"
    compiler=$(arm64_compiler_libraries)
  fi
  [ -n "$compiler" ] || fail "apt knows no libgcc-N-dev-arm64-cross. $help"
  SID_ARCHITECTURE=arm64 SID_HELP=$help fetch_from_sid "$ARM64_SYSTEM" libssl3t64 libgcc-s1
  ln -s usr/lib "$ARM64_SYSTEM/lib"
  unpack_debian "$ARM64_ROOT" arm64-libraries "$help" libc6-arm64-cross libc6-dev-arm64-cross libgcc-s1-arm64-cross "$compiler" qemu-user-static
  echo "$compiler" >"$ARM64_ROOT/.complete"
}

arm64_compiler_libraries() { apt-cache pkgnames libgcc- 2>/dev/null | grep -E '^libgcc-[0-9]+-dev-arm64-cross$' | sort -V | tail -n 1; }

# postgres_programs FOLDER: where the programs of the newest version below it are, or nothing.
postgres_programs() {
  local found
  found=$(find "$1" -mindepth 3 -maxdepth 3 -path '*/bin/postgres' 2>/dev/null | sort -V | tail -n 1)
  [ -z "$found" ] || dirname "$found"
}

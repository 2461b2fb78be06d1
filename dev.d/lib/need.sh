# The programs that a verb needs and how to get them. Each need_x returns at once if the program is installed.

ARTIFACTS=$POSTRIDER_ROOT/artifacts
NODE_CLIENTS=$POSTRIDER_ROOT/tests/Postrider.InteropTests/node
TRANSPORT_NODE_CLIENTS=$POSTRIDER_ROOT/tests/Postrider.TransportTests/node
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1

# need_room: what is built and fetched has a place. Packages and settings lie below the home directory; an account
# that has none gets one here.
need_room() {
  if ! mkdir -p "$ARTIFACTS" 2>/dev/null || [ ! -w "$ARTIFACTS" ] || [ ! -w "$POSTRIDER_ROOT" ]; then
    fail "$(id -un) may not write to $POSTRIDER_ROOT: builds leave their files there. Clone the project to a folder of your own."
  fi
  if [ -z "${HOME:-}" ] || [ ! -d "$HOME" ] || [ ! -w "$HOME" ]; then
    export HOME=$ARTIFACTS/home
    mkdir -p "$HOME"
  fi
}

# Ten thousand connections in one test need as many descriptors; the soft limit is often 1024.
raise_descriptor_limit() {
  local hard
  hard=$(ulimit -Hn)
  [ "$hard" != unlimited ] || hard=1048576
  [ "$(ulimit -Sn)" = "$hard" ] || ulimit -Sn "$hard" || warn "the soft descriptor limit stays at $(ulimit -Sn)"
}

# need_certificates: a minimal Debian trusts no server. Its curl comes without the certificates that NuGet needs as well.
need_certificates() {
  [ ! -e /etc/debian_version ] || [ -s /etc/ssl/certs/ca-certificates.crt ] || [ -n "${SSL_CERT_FILE:-}${SSL_CERT_DIR:-}" ] ||
    install_debian ca-certificates ca-certificates
}

need_sdk() {
  need_certificates
  local version
  version=$(sed -n 's/.*"version": *"\([0-9.]*\)".*/\1/p' global.json)
  if [ -x "$ARTIFACTS/dotnet/dotnet" ]; then use_private_sdk; fi
  if command -v dotnet >/dev/null && dotnet --version >/dev/null 2>&1; then return 0; fi

  say "no .NET SDK that satisfies global.json ($version); installing it at artifacts/dotnet"
  local script=$ARTIFACTS/dotnet-install.sh
  # Microsoft's install script: it needs the network beyond the package registries.
  if download https://dot.net/v1/dotnet-install.sh "$script" &&
    run_quietly "$ARTIFACTS/log/dotnet-install.log" bash "$script" --jsonfile global.json --install-dir "$ARTIFACTS/dotnet" --no-path; then
    use_private_sdk
    dotnet --version >/dev/null || fail "the SDK was installed at artifacts/dotnet but does not start (see above)."
    return 0
  fi
  fail "the .NET SDK could not be downloaded (no network?). Install .NET SDK $version (or a later 10.0.x feature band)
     so that 'dotnet' is in PATH, or unpack its archive (dotnet-sdk-$version-linux-x64.tar.gz) at artifacts/dotnet,
     and run this again."
}

# download ADDRESS FILE: false if it cannot be downloaded.
download() {
  if command -v curl >/dev/null; then
    curl -fsSL --max-time 60 -o "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q --timeout=60 --tries=1 -O "$2" "$1"
  else
    need_command curl curl ca-certificates
    curl -fsSL --max-time 60 -o "$2" "$1"
  fi
}

use_private_sdk() {
  export DOTNET_ROOT=$ARTIFACTS/dotnet
  export PATH=$DOTNET_ROOT:$PATH
  # The script does not install ICU; the product does not need it.
  export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
}

# need_command COMMAND PACKAGE...: COMMAND is in PATH, or the Debian packages that contain it are installed.
need_command() {
  local command=$1
  shift
  if command -v "$command" >/dev/null; then return 0; fi
  install_debian "$command" "$@"
  command -v "$command" >/dev/null || fail "Debian's $* is installed, but '$command' is not in PATH."
}

# install_debian NAME PACKAGE...: NAME is missing; Debian's packages contain it.
install_debian() {
  local name=$1
  shift
  command -v apt-get >/dev/null || fail "'$name' is missing and this machine has no apt: install it, then run this again."
  [ "$(id -u)" = 0 ] || fail "'$name' is missing and only root can install it: apt-get install $*"
  say "installing Debian's $*"
  run_quietly "$ARTIFACTS/log/apt-$name.log" apt-get install -y --no-install-recommends "$@" ||
    { run_quietly "$ARTIFACTS/log/apt-update.log" apt-get update &&
      run_quietly "$ARTIFACTS/log/apt-$name.log" apt-get install -y --no-install-recommends "$@"; } ||
    fail "'$name' is missing and apt could not install $* (no network?)."
  hash -r
}

# What links a native program.
need_linker() {
  need_command clang clang libc6-dev
  need_command ld.lld lld
}

# PowerShell, as a tool of .NET below artifacts/; POSTRIDER_PWSH may name one.
need_pwsh() {
  local version=7.6.9
  if [ -n "${POSTRIDER_PWSH:-}" ]; then
    [ -x "$POSTRIDER_PWSH" ] || fail "POSTRIDER_PWSH names $POSTRIDER_PWSH, which is no program."
    return 0
  fi
  export POSTRIDER_PWSH=$ARTIFACTS/pwsh/pwsh
  if [ -x "$POSTRIDER_PWSH" ]; then return 0; fi
  say "installing PowerShell $version"
  run_quietly "$ARTIFACTS/log/pwsh.log" dotnet tool install PowerShell --version "$version" --tool-path "$ARTIFACTS/pwsh" ||
    fail "PowerShell could not be installed (no network?): the test of its completions cannot run."
}

# Python's MessagePack, for the interpreter that Debian has.
need_python_msgpack() {
  /usr/bin/python3 -c 'import msgpack' 2>/dev/null || install_debian python3-msgpack python3 python3-msgpack
}

# need_sid FOLDER PACKAGE...: Debian's packages of the suite sid, which are newer than a stable Debian has, unpacked in a
# folder of their own with all that they depend on, down to the C library they were built on.
need_sid() {
  local root=$1
  shift
  [ "$(cat "$root/.complete" 2>/dev/null)" = "$*" ] || fetch_from_sid "$root" "$@"
}

# Go's nats-server and the C client.
need_sid_nats() {
  . dev.d/lib/debian.sh
  SID_HELP="Put Go's nats-server 2.15.1 somewhere and name it in POSTRIDER_NATS_SERVER; libnats has no such way." \
    need_sid "$SID_ROOT" nats-server libnats-dev
  [ -x "$SID_ROOT/usr/sbin/nats-server" ] || fail "sid's nats-server holds no usr/sbin/nats-server."
}

# Python's zeep, PHP's SoapClient and Perl's SOAP::Lite, each with the interpreter it belongs to.
need_soap_clients() {
  . dev.d/lib/debian.sh
  need_sid "$SID_SOAP" python3-zeep php-cli php-soap libsoap-lite-perl
}

# moto, which simulates AWS, with the Python it belongs to; POSTRIDER_MOTO may name a folder with such a usr.
need_moto() {
  . dev.d/lib/debian.sh
  if [ -z "${POSTRIDER_MOTO:-}" ]; then
    SID_HELP="The transport tests need them; nothing else does." need_sid "$SID_MOTO" python3-moto python3-flask-cors python3-jsonpath-ng
    export POSTRIDER_MOTO=$SID_MOTO
  fi
  [ -x "$POSTRIDER_MOTO/usr/bin/moto_server" ] || fail "POSTRIDER_MOTO names $POSTRIDER_MOTO, which has no usr/bin/moto_server."
  say "moto $(cd "$POSTRIDER_MOTO/usr/lib/python3/dist-packages" && echo moto-*.dist-info | sed 's/^moto-//; s/\.dist-info$//')"
}

# The server that POSTRIDER_NATS_SERVER names, or sid's.
need_nats() {
  if [ -n "${POSTRIDER_NATS_SERVER:-}" ]; then
    [ -x "$POSTRIDER_NATS_SERVER" ] || fail "POSTRIDER_NATS_SERVER names $POSTRIDER_NATS_SERVER, which is no program."
  else
    need_sid_nats
    export POSTRIDER_NATS_SERVER=$SID_ROOT/usr/sbin/nats-server
  fi
  NATS_SERVER=$POSTRIDER_NATS_SERVER
  say "Go's $("$NATS_SERVER" -v)"
}

# The RabbitMQ that POSTRIDER_RABBITMQ names (a folder with usr/lib/rabbitmq and usr/lib/erlang), or Debian's, unpacked: an
# installed one would start at once and listen on all addresses.
need_rabbitmq() {
  if [ -n "${POSTRIDER_RABBITMQ:-}" ]; then
    [ -d "$POSTRIDER_RABBITMQ/usr/lib/rabbitmq/lib" ] || fail "POSTRIDER_RABBITMQ names $POSTRIDER_RABBITMQ, which has no usr/lib/rabbitmq/lib."
  elif [ -d /usr/lib/rabbitmq/lib ] && [ -d /usr/lib/erlang ]; then
    export POSTRIDER_RABBITMQ=/
  else
    . dev.d/lib/debian.sh
    [ -e "$RABBITMQ_ROOT/.complete" ] || fetch_rabbitmq
    export POSTRIDER_RABBITMQ=$RABBITMQ_ROOT
  fi
  say "RabbitMQ $(cd "$POSTRIDER_RABBITMQ/usr/lib/rabbitmq/lib" && echo rabbitmq_server-* | sed 's/.*-//')"
}

# The RabbitMQ that POSTRIDER_RABBITMQ4 names, or sid's, which is newer.
need_rabbitmq4() {
  if [ -n "${POSTRIDER_RABBITMQ4:-}" ]; then
    [ -d "$POSTRIDER_RABBITMQ4/usr/lib/rabbitmq/lib" ] || fail "POSTRIDER_RABBITMQ4 names $POSTRIDER_RABBITMQ4, which has no usr/lib/rabbitmq/lib."
  else
    . dev.d/lib/debian.sh
    [ -e "$RABBITMQ4_ROOT/.complete" ] || fetch_rabbitmq4
    export POSTRIDER_RABBITMQ4=$RABBITMQ4_ROOT
  fi
  say "RabbitMQ $(cd "$POSTRIDER_RABBITMQ4/usr/lib/rabbitmq/lib" && echo rabbitmq_server-* | sed 's/.*-//')"
}

# The PostgreSQL whose programs POSTRIDER_POSTGRES names (a folder with postgres and initdb), an installed one, or Debian's,
# unpacked: an install would create a server and start it.
need_postgres() {
  if [ -n "${POSTRIDER_POSTGRES:-}" ]; then
    [ -x "$POSTRIDER_POSTGRES/postgres" ] || fail "POSTRIDER_POSTGRES names $POSTRIDER_POSTGRES, which holds no program 'postgres'."
  else
    . dev.d/lib/debian.sh
    POSTRIDER_POSTGRES=$(postgres_programs /usr/lib/postgresql)
    if [ -z "$POSTRIDER_POSTGRES" ]; then
      [ -e "$POSTGRES_ROOT/.complete" ] || fetch_postgres
      POSTRIDER_POSTGRES=$(postgres_programs "$POSTGRES_ROOT/usr/lib/postgresql")
      [ -n "$POSTRIDER_POSTGRES" ] || fail "Debian's postgresql holds no program 'postgres'."
    fi
    export POSTRIDER_POSTGRES
  fi
  # The server refuses to run as root; the tests start it as nobody.
  [ "$(id -u)" != 0 ] || need_command setpriv util-linux
  say "PostgreSQL in $POSTRIDER_POSTGRES"
}

# The official npm clients, at the versions of the committed lock file of a folder; that of the interop tests without one.
need_node_clients() {
  local folder=${1:-$NODE_CLIENTS}
  need_command node nodejs
  local stamp=$folder/node_modules/.complete
  if [ -e "$stamp" ] && cmp -s "$stamp" "$folder/package-lock.json"; then return 0; fi
  need_command npm npm
  say "installing the npm clients of ${folder#"$POSTRIDER_ROOT"/}/package-lock.json"
  (cd "$folder" && run_quietly "$ARTIFACTS/log/npm.log" npm ci --no-audit --no-fund --loglevel=error) ||
    fail "the npm clients could not be installed (no network?): their tests cannot run."
  cp "$folder/package-lock.json" "$stamp"
}

# The stories of the C client, linked against the unpacked libnats and run by the loader that came with it.
need_c_client() {
  local source=$POSTRIDER_ROOT/tests/Postrider.InteropTests/c/story.c
  local program=$ARTIFACTS/interop/story
  need_sid_nats
  export POSTRIDER_C_STORY=$program
  [ -e "$source" ] || return 0
  if [ -x "$program" ] && [ "$program" -nt "$source" ] && [ "$program" -nt "$SID_ROOT/.complete" ]; then return 0; fi
  need_command gcc gcc libc6-dev
  say "compiling the C client's stories"
  mkdir -p "$ARTIFACTS/interop"
  local libraries
  libraries=$(dirname "$(find "$SID_ROOT/usr/lib" -name libnats.so | head -n 1)")
  run_quietly "$ARTIFACTS/log/gcc.log" gcc -std=c11 -O1 -Wall -Wextra -Werror -o "$program" "$source" \
    -I "$SID_ROOT/usr/include" -L "$libraries" -lnats -Wl,--allow-shlib-undefined ||
    fail "the C client's stories do not compile: the interop tests cannot run."
}

# The store of the SOAP tests, made by gSOAP of its WSDL: a client and a service in one program, which sid's loader runs.
need_gsoap() {
  . dev.d/lib/debian.sh
  need_sid "$SID_GSOAP" gsoap libgsoap-dev
  local stories=$POSTRIDER_ROOT/tests/Postrider.InteropTests/cpp made=$ARTIFACTS/interop/gsoap
  local program=$made/store share=$SID_GSOAP/usr/share/gsoap libraries
  if [ -x "$program" ] && [ -z "$(find "$stories" "$SID_GSOAP/.complete" -newer "$program" -type f)" ]; then return 0; fi
  need_command g++ g++ libc6-dev
  say "compiling the store of gSOAP"
  rm -rf "$made"
  mkdir -p "$made"
  libraries=$(dirname "$(find "$SID_GSOAP/usr/lib" -name libgsoap++.so | head -n 1)")
  run_quietly "$ARTIFACTS/log/gsoap.log" sid_gsoap "$libraries" wsdl2h -t "$share/WS/typemap.dat" -o "$made/wsdl.h" "$stories/store.wsdl" &&
    cat "$made/wsdl.h" "$stories/headers.h" >"$made/store.h" &&
    run_quietly "$ARTIFACTS/log/gsoap.log" sid_gsoap "$libraries" soapcpp2 -j -x -w -d "$made" -I "$share/import" "$made/store.h" &&
    run_quietly "$ARTIFACTS/log/gsoap.log" g++ -std=c++14 -O1 -w -DWITH_IPV6 -DWITH_DOM -DWITH_PURE_VIRTUAL -x c++ -o "$program" "$stories/store.cpp" "$made"/soap*.cpp "$share/plugin/wsaapi.c" \
      -I "$made" -I "$share/plugin" -idirafter "$SID_GSOAP/usr/include" -L "$libraries" -lgsoap++ -Wl,--allow-shlib-undefined ||
    fail "the store of gSOAP does not compile: the interop tests cannot run."
}

# sid_gsoap LIBRARIES PROGRAM ARGUMENTS: a program of gSOAP's, by the loader that came with it.
sid_gsoap() {
  local loader
  loader=$(find "$1" -name 'ld-linux*.so*' | head -n 1)
  "$loader" --library-path "$1" "$SID_GSOAP/usr/bin/$2" "${@:3}"
}

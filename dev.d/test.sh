# test [NAME ...] [-- RUNNER ARGUMENTS]: one Release build, every test project, one closing line.
need_sdk
. dev.d/lib/tests.sh

names=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  names+=("$1")
  shift
done
[ $# -eq 0 ] || shift
runner_arguments=("$@")

mapfile -t projects < <(select_projects "${names[@]}")
[ ${#projects[@]} -gt 0 ] || fail "no test project matches: ${names[*]}"
case " ${projects[*]} " in
  *InteropTests*)
    NEEDED_FOR="the interop tests; './dev test UnitTests GeneratorTests SystemTests' runs without"
    need_command curl curl ca-certificates
    need_nats
    need_node_clients
    need_c_client
    need_command chromium chromium
    need_command zsh zsh
    need_command fish fish
    need_pwsh
    need_python_msgpack
    need_soap_clients
    need_gsoap
    NEEDED_FOR=
    ;;
esac

case " ${projects[*]} " in
  *TransportTests*)
    NEEDED_FOR="the transport tests; './dev test UnitTests GeneratorTests SystemTests' runs without"
    need_rabbitmq
    need_rabbitmq4
    need_moto
    need_node_clients "$TRANSPORT_NODE_CLIENTS"
    NEEDED_FOR=
    ;;
esac

case " ${projects[*]} " in
  *OutboxTests*)
    NEEDED_FOR="the outbox tests; './dev test UnitTests GeneratorTests SystemTests' runs without"
    need_postgres
    need_rabbitmq
    NEEDED_FOR=
    ;;
esac

# One compiler for all projects takes half the time of one for each; it ends with the build.
export UseSharedCompilation=true
# Programs that live for minutes do not get back what it costs to measure their methods: a quarter of the processor time
# of the build, a fifth of that of the unit tests.
export DOTNET_TieredPGO=0
compiler_folder=${TMPDIR:-/tmp}
end_compiler() { TMPDIR=$compiler_folder dotnet build-server shutdown --vbcscompiler >/dev/null 2>&1 || true; }
trap end_compiler EXIT
say "building (Release)"
run_building "$ARTIFACTS/log/build.log" dotnet build Postrider.slnx -c Release -nologo -v m ||
  fail "the build failed."

rm -rf "$ARTIFACTS/test"
mkdir -p "$ARTIFACTS/test"

# The program that users run is published while the tests run that do not need it.
published=$ARTIFACTS/test/published
case " ${projects[*]} " in
  *SystemTests* | *InteropTests*)
    . dev.d/lib/publish.sh
    (publish_program && touch "$published") &
    export POSTRIDER_PROGRAM=$PROGRAM
    ;;
  *) touch "$published" ;;
esac

# Tests kill programs, which then leave temporary files behind. The path is short because it becomes part of the names of Unix sockets.
TMPDIR=$(mktemp -d -t postrider.XXXXXX)
export TMPDIR
# PostgreSQL does not run as root and must be able to reach its folder in this one.
chmod 711 "$TMPDIR"
trap 'rm -rf "$TMPDIR"; end_compiler' EXIT
# The projects without sockets and processes share the cores; those with timing run alone.
run_together "$(among UnitTests)" "$(among GeneratorTests)" "$(among HostingTests)"
[ -e "$published" ] || fail "the program could not be published."
end_compiler
run_together "$(among SystemTests)"
# These mostly wait for brokers and timeouts.
run_in_turn "$(among TransportTests)" "$(among OutboxTests)" &
run_together "$(among InteropTests)"
wait
rerun_failures $(among HostingTests) $(among SystemTests) $(among TransportTests) $(among OutboxTests) $(among InteropTests)
close_run

# Benchmarks: which program knows which table, how it is built, where the rows go.

BENCH_LOAD_TABLES="broker client jetstream hostile start"
BENCH_PART_TABLES="flow dispatch hosting messagepack routing rpc"

bench() {
  local name=${1:-} arguments=() json='' peers='' compare=''
  [ -n "$name" ] || fail "bench needs a name, one of: $BENCH_PART_TABLES $BENCH_LOAD_TABLES crash"
  shift
  if [ "$name" = plots ]; then
    bench_plots
    return
  fi
  if [ "$name" = crash ]; then
    bench_crash "$@"
    return
  fi
  while [ $# -gt 0 ]; do
    case $1 in
      --quick) arguments+=(--quick) ;;
      --) shift && arguments+=("$@") && set -- -- ;;
      --compare) compare=yes ;;
      --json)
        [ -n "${2:-}" ] || fail "--json needs a file."
        json=$2 && shift
        ;;
      --peers)
        [ -d "${2:-}" ] || fail "--peers needs a folder with the peers' assemblies; '${2:-}' is none."
        peers=$(cd "$2" && pwd) && shift
        ;;
      *) fail "bench does not know '$1' (--quick, --json FILE, --peers FOLDER, --compare, -- ARGUMENTS)" ;;
    esac
    shift
  done

  local project
  case " $BENCH_LOAD_TABLES " in *" $name "*) project=Postrider.Load ;; esac
  case " $BENCH_PART_TABLES " in *" $name "*) project=Postrider.Peers ;; esac
  if [ "$name" = routing ]; then project=Postrider.Routing; fi
  [ -n "${project:-}" ] || fail "no table '$name'; there are: $BENCH_PART_TABLES $BENCH_LOAD_TABLES"

  need_sdk
  say "building bench/$project (Release)"
  bench_build "$project" "$peers"
  if [ "$name" = dispatch ] || [ "$name" = routing ]; then
    # Compiles at run time with another Roslyn than the generators: a program of its own.
    bench_build Postrider.Peers.Wolverine "$peers"
  fi
  if [ "$name" = routing ]; then
    need_rabbitmq
    need_postgres
  fi
  if [ "$project" = Postrider.Load ]; then
    need_nats
    if [ "$name" = client ]; then need_node_clients; fi
    . dev.d/lib/publish.sh
    publish_program
    if [ "$name" = start ]; then
      bench_trimmed
      # Compared where it is installed.
      if command -v nats >/dev/null; then arguments+=(--nats "$(command -v nats)"); fi
    fi
    arguments+=(--go "$NATS_SERVER" --postrider "$PROGRAM")
  fi

  local rows=$ARTIFACTS/bench/$name.jsonl
  mkdir -p "$ARTIFACTS/bench"
  rm -f "$rows"
  "bench/$project/bin/Release/net10.0/$project" "$name" ${arguments[@]+"${arguments[@]}"} --json "$rows" ||
    fail "the benchmark '$name' ended with status $?."
  [ -s "$rows" ] || fail "the benchmark '$name' wrote no row."
  if [ -n "$json" ]; then cp "$rows" "$json"; fi
  if [ -n "$compare" ]; then bench_compare "$name" "$rows"; fi
}

# bench_build PROJECT PEERS: builds a program, with the peers of a folder if one is given.
bench_build() {
  # An incremental build keeps the list of assemblies, with or without the peers of the run before.
  rm -f "bench/$1/bin/Release/net10.0/$1.deps.json"
  run_building "$ARTIFACTS/log/bench-build.log" dotnet build "bench/$1" -c Release -nologo -v m \
    ${2:+"-p:PeersFolder=$2"} || fail "the benchmarks do not build."
}

# bench_trimmed: the trimmed program beside the native one, as a further server.
bench_trimmed() {
  local trimmed=$ARTIFACTS/bench/trimmed
  mkdir -p "$ARTIFACTS/bench"
  PUBLISH_FOLDER=$trimmed publish_trimmed
  arguments+=(--server "trimmed=$trimmed/postrider serve -p {port} -a 127.0.0.1")
}

# bench_crash [ROUNDS]: the crash test of ./dev test, for as many rounds as asked.
bench_crash() {
  local rounds=${1:-300}
  case $rounds in *[!0-9]*) fail "bench crash takes a number of rounds, not '$rounds'" ;; esac
  say "building tests/Postrider.SystemTests (Release)"
  run_building "$ARTIFACTS/log/bench-build.log" dotnet build tests/Postrider.SystemTests -c Release -nologo -v m || fail "the tests do not build."
  . dev.d/lib/publish.sh
  publish_program
  say "killing the broker $rounds times, a third of them with each durability"
  POSTRIDER_PROGRAM=$PROGRAM POSTRIDER_CRASH_ROUNDS=$rounds \
    tests/Postrider.SystemTests/bin/Release/net10.0/Postrider.SystemTests --filter-class '*.CrashTests' --output Detailed ||
    fail "the crash test failed; its seed is above."
}

# bench_plots: the pictures of RESULTS.md from the committed rows.
bench_plots() {
  need_sdk
  run_building "$ARTIFACTS/log/bench-build.log" dotnet build bench/Postrider.BenchReport -c Release -nologo -v m
  local rows
  for rows in bench/results/*.jsonl; do
    case $rows in *-about.jsonl | *-soak.jsonl) continue ;; esac
    bench/Postrider.BenchReport/bin/Release/net10.0/Postrider.BenchReport plot "$rows" "${rows%.jsonl}.svg"
  done
}

# bench_compare NAME ROWS: the regression gate.
bench_compare() {
  local committed=bench/results/$1.jsonl
  [ -e "$committed" ] || fail "$committed is not there: nothing to compare with. Commit the rows of a run first."
  say "comparing with $committed"
  run_building "$ARTIFACTS/log/bench-build.log" dotnet build bench/Postrider.BenchReport -c Release -nologo -v m
  bench/Postrider.BenchReport/bin/Release/net10.0/Postrider.BenchReport compare "$committed" "$2"
}

# profile: records the usual branches, callees and types of the server for the native compiler, while the rows of the
# benchmarks run against it, and writes them to src/Postrider.Broker/build/Postrider.Broker.mibc (docs/adr/0005-native-program.md).
[ $# -eq 0 ] || fail "profile takes no arguments"
need_sdk

for project in apps/postrider bench/Postrider.Load tools/Postrider.Profile; do
  say "building $project (Release)"
  run_building "$ARTIFACTS/log/profile-build.log" dotnet build "$project" -c Release -nologo -v m || fail "$project does not build."
done

recordings=$ARTIFACTS/profile
rm -rf "$recordings"
mkdir -p "$recordings/store"
export RECORDINGS=$recordings
recorded='bash dev.d/lib/recorded.sh -p {port} -a 127.0.0.1'
load=bench/Postrider.Load/bin/Release/net10.0/Postrider.Load
say "running the rows of the benchmarks against a server that counts; its rates are no figures"
"$load" broker --tables core,tls --quick --repeats 2 --server "counting=$recorded" >"$ARTIFACTS/log/profile-run.log" 2>&1 &&
  "$load" jetstream --tables rates --quick --repeats 2 --server "counting=$recorded -js -sd $recordings/store" >>"$ARTIFACTS/log/profile-run.log" 2>&1 ||
  fail "the rows could not be run; see artifacts/log/profile-run.log."

framework=$(dirname "$(dotnet --list-runtimes | sed -n 's/^Microsoft\.NETCore\.App 10\.[^ ]* \[\(.*\)\]$/\1/p' | tail -n 1)")
assemblies=(apps/postrider/bin/Release/net10.0)
for name in Microsoft.NETCore.App Microsoft.AspNetCore.App; do
  assemblies+=("$(find "$framework/$name" -mindepth 1 -maxdepth 1 -name '10.*' | sort -V | tail -n 1)")
done
tools/Postrider.Profile/bin/Release/net10.0/Postrider.Profile "$recordings" src/Postrider.Broker/build/Postrider.Broker.mibc "${assemblies[@]}" ||
  fail "the recordings could not be converted."
rm -rf "$recordings/store"
say "wrote src/Postrider.Broker/build/Postrider.Broker.mibc; ./dev build uses it"

# profile: records the usual branches, callees and types of the server for the native compiler, while the rows of the
# benchmarks run against it, and writes them to src/Postrider.Broker/build/Postrider.Broker.mibc (docs/adr/0016-profile-of-the-native-program.md).
[ $# -eq 0 ] || fail "profile takes no arguments"
need_sdk

for project in apps/postrider bench/Postrider.Load tools/Postrider.Profile; do
  say "building $project (Release)"
  run_building "$ARTIFACTS/log/profile-build.log" dotnet build "$project" -c Release -nologo -v m || fail "$project does not build."
done

recordings=$ARTIFACTS/profile
rm -rf "$recordings"
mkdir -p "$recordings"
export RECORDINGS=$recordings
recorded='bash dev.d/lib/recorded.sh -p {port} -a 127.0.0.1'
load=bench/Postrider.Load/bin/Release/net10.0/Postrider.Load
say "running the rows of the benchmarks against a server that counts; its rates are no figures"
"$load" broker --tables core,tls --quick --repeats 2 --server "counting=$recorded" >"$ARTIFACTS/log/profile-run.log" 2>&1 &&
  "$load" jetstream --tables rates --quick --repeats 2 --server "counting=$recorded -js -sd {store}" >>"$ARTIFACTS/log/profile-run.log" 2>&1 ||
  fail "the rows could not be run; see artifacts/log/profile-run.log."
for started in "$recordings"/*.started; do
  [ -s "${started%.started}.txt" ] || fail "a server ended without writing its counts (${started##*/})."
done

# The assemblies as they were run: the program's, and the framework's of the newest released runtime.
assemblies=(apps/postrider/bin/Release/net10.0)
for name in Microsoft.NETCore.App Microsoft.AspNetCore.App; do
  folder=$(dotnet --list-runtimes | sed -n "s/^$name \\(10\\.[0-9.]*\\) \\[\\(.*\\)\\]\$/\\2\\/\\1/p" | sort -V | tail -n 1)
  [ -d "$folder" ] || fail "dotnet --list-runtimes names no folder of $name 10."
  assemblies+=("$folder")
done
tools/Postrider.Profile/bin/Release/net10.0/Postrider.Profile "$recordings" src/Postrider.Broker/build/Postrider.Broker.mibc "${assemblies[@]}" ||
  fail "the recordings could not be converted."
say "wrote src/Postrider.Broker/build/Postrider.Broker.mibc; ./dev build uses it"

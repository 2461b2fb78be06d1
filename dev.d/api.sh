# api: the public API text files from the assemblies as they are now.
need_sdk
[ $# -eq 0 ] || fail "api takes no arguments"
say "building (Release)"
run_building "$ARTIFACTS/log/build.log" dotnet build tests/Postrider.UnitTests -c Release -nologo -v m
POSTRIDER_WRITE_API=1 run_quietly "$ARTIFACTS/log/api.log" \
  tests/Postrider.UnitTests/bin/Release/net10.0/Postrider.UnitTests --filter-class '*PublicApiTests'
say "rewrote api/; review the diff:"
git --no-pager diff --stat -- api || true

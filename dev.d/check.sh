# check: what must hold before a push.
need_sdk
[ $# -eq 0 ] || fail "check takes no arguments"
say "scripts"
bash -n dev dev.d/*.sh dev.d/lib/*.sh .ci/run
say "restore"
run_quietly "$ARTIFACTS/log/restore.log" dotnet restore Postrider.slnx -v q
say "format"
run_quietly "$ARTIFACTS/log/format.log" dotnet format whitespace Postrider.slnx --verify-no-changes --no-restore ||
  fail "white space differs from what the formatter writes: 'dotnet format whitespace Postrider.slnx' mends it."
say "build (Release, warnings as errors)"
run_building "$ARTIFACTS/log/build.log" dotnet build Postrider.slnx -c Release --no-restore -nologo -v m
# New seeds each time, so that every push is tested with new random inputs.
export POSTRIDER_SEED=${POSTRIDER_SEED:-random}
. dev.d/test.sh UnitTests GeneratorTests

# run [ARGUMENTS]: the broker with the sample service in it.
need_sdk
say "building (Release)"
run_quietly "$ARTIFACTS/log/run-build.log" dotnet build apps/postrider -c Release -nologo -v q
exec dotnet run --project apps/postrider -c Release --no-build -- serve "$@"

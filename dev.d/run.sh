# run [ARGUMENTS]: the broker with the sample service in it.
need_sdk
say "building (Release)"
run_building "$ARTIFACTS/log/run-build.log" dotnet build samples/OrderDesk -c Release -nologo -v m
exec dotnet run --project samples/OrderDesk -c Release --no-build -- "$@"

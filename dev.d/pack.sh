# pack: the NuGet packages of src/ and adapters/.
need_sdk
[ $# -eq 0 ] || fail "pack takes no arguments"
say "packing"
run_building "$ARTIFACTS/log/pack.log" dotnet pack Postrider.slnx -c Release -o "$ARTIFACTS/packages" -nologo -v m
ls -1 "$ARTIFACTS/packages"

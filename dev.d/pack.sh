# pack: the NuGet packages of src/ and adapters/.
need_sdk
[ $# -eq 0 ] || fail "pack takes no arguments"
say "packing"
run_quietly "$ARTIFACTS/log/pack.log" dotnet pack Postrider.slnx -c Release -o "$ARTIFACTS/packages" -nologo -v q
ls -1 "$ARTIFACTS/packages"

# pack: the NuGet packages of src/ and adapters/, and on Debian a package of the command line with its systemd unit.
need_sdk
[ $# -eq 0 ] || fail "pack takes no arguments"
say "packing"
run_building "$ARTIFACTS/log/pack.log" dotnet pack Postrider.slnx -c Release -o "$ARTIFACTS/packages" -nologo -v m
ls -1 "$ARTIFACTS/packages"
if command -v dpkg-deb >/dev/null; then
  . dev.d/lib/publish.sh
  [ -x "$PROGRAM" ] || publish_program
  version=$(sed -n 's/.*<Version>\(.*\)<\/Version>.*/\1/p' Directory.Build.props | head -n 1)
  run_building "$ARTIFACTS/log/deb.log" sh packaging/deb/build.sh "$PROGRAM" "$version" "$ARTIFACTS/packages"
  ls -1 "$ARTIFACTS/packages"/*.deb
fi

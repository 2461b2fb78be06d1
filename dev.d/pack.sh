# pack: the NuGet packages of src/ and adapters/, the templates and the tool, and on Debian a package of the command line with its systemd unit.
need_sdk
[ $# -eq 0 ] || fail "pack takes no arguments"
. dev.d/lib/packages.sh
say "packing"
packed_projects > "$ARTIFACTS/packages.slnx"
# Analyzers run in ./dev check.
run_building "$ARTIFACTS/log/pack.log" dotnet pack "$ARTIFACTS/packages.slnx" -c Release -p:RunAnalyzers=false -o "$ARTIFACTS/packages" -nologo -v m
ls -1 "$ARTIFACTS/packages"
if command -v dpkg-deb >/dev/null; then
  . dev.d/lib/publish.sh
  # A program that is older than its sources would be packed as the new version.
  if [ ! -x "$PROGRAM" ] || find src apps \( -name bin -o -name obj \) -prune -o -type f -newer "$PROGRAM" -print -quit | grep -q .; then publish_program; fi
  version=$(sed -n 's/.*<Version>\(.*\)<\/Version>.*/\1/p' Directory.Build.props | head -n 1)
  run_building "$ARTIFACTS/log/deb.log" sh packaging/deb/build.sh "$PROGRAM" "$version" "$ARTIFACTS/packages"
  ls -1 "$ARTIFACTS/packages"/*.deb
fi

# pack [--arm64]: the NuGet packages of src/ and adapters/, the templates and the tool, and on Debian a package of the command line with its
# systemd unit, for this machine and perhaps for arm64 processors.
need_sdk
[ "$*" = "" ] || [ "$*" = --arm64 ] || fail "pack takes --arm64 or nothing"
. dev.d/lib/packages.sh
say "packing"
packed_projects > "$ARTIFACTS/packages.slnx"
# Analyzers run in ./dev check.
run_building "$ARTIFACTS/log/pack.log" dotnet pack "$ARTIFACTS/packages.slnx" -c Release -p:RunAnalyzers=false -o "$ARTIFACTS/packages" -nologo -v m
ls -1 "$ARTIFACTS/packages"
if command -v dpkg-deb >/dev/null; then
  . dev.d/lib/publish.sh
  version=$(sed -n 's/.*<Version>\(.*\)<\/Version>.*/\1/p' Directory.Build.props | head -n 1)
  if is_outdated "$PROGRAM"; then publish_program; fi
  run_building "$ARTIFACTS/log/deb.log" sh packaging/deb/build.sh "$PROGRAM" "$version" "$ARTIFACTS/packages"
  if [ "${1:-}" = --arm64 ]; then
    if is_outdated "$ARM64_FOLDER/postrider"; then publish_arm64; fi
    run_building "$ARTIFACTS/log/deb.log" sh packaging/deb/build.sh "$ARM64_FOLDER/postrider" "$version" "$ARTIFACTS/packages" arm64
  fi
  ls -1 "$ARTIFACTS/packages"/*.deb
fi

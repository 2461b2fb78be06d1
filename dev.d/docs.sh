# docs: the documentation as a static site at artifacts/site.
need_sdk
[ $# -eq 0 ] || fail "docs takes no arguments"
say "building tools/Postrider.Site (Release)"
run_building "$ARTIFACTS/log/docs.log" dotnet build tools/Postrider.Site -c Release -nologo -v m || fail "the site's program does not build."
rm -rf "$ARTIFACTS/site"
tools/Postrider.Site/bin/Release/net10.0/Postrider.Site "$POSTRIDER_ROOT" "$ARTIFACTS/site" ||
  fail "links are broken: each is named above with its page."

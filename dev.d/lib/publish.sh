# Publishing the command line at artifacts/postrider/postrider.

PROGRAM=$ARTIFACTS/postrider/postrider

# Trimmed, with its own runtime: needs no .NET on the machine, and an idle broker with monitoring stays under 40 MB
# (10 MB more with the shared framework, whose libraries are larger). The runtime comes from the package feed once.
publish_program() {
  if publish_to "trimmed, with its own runtime" --self-contained true -p:PublishTrimmed=true; then return 0; fi
  if ! grep -qE 'NETSDK1112|NU1101|NU1102|NU1301' "$ARTIFACTS/log/publish.log"; then fail "the command line does not build."; fi
  warn "the runtime's package could not be had (no network?): publishing for the installed .NET instead, at 10 MB more of memory."
  publish_framework_dependent
}

publish_framework_dependent() {
  publish_to "for the installed .NET" --self-contained false || fail "the command line does not build."
}

# publish_to HOW ARGUMENTS...: nothing of an earlier publish stays behind.
publish_to() {
  say "publishing the command line at artifacts/postrider/postrider ($1)"
  shift
  local fresh=$ARTIFACTS/postrider.new
  rm -rf "$fresh"
  run_quietly "$ARTIFACTS/log/publish.log" dotnet publish apps/postrider -c Release --use-current-runtime \
    -p:PublishReadyToRun=true -p:DebugType=none -p:PublishDocumentationFiles=false -o "$fresh" -nologo -v q "$@" || return
  # Under this name it takes nats-server's flags and nothing else.
  ln -s postrider "$fresh/nats-server"
  rm -rf "$ARTIFACTS/postrider"
  mv "$fresh" "$ARTIFACTS/postrider"
}

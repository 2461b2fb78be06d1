# build [--trimmed]: the command line, published for this machine.
need_sdk

publish_framework_dependent() {
  say "publishing the command line at artifacts/postrider/postrider"
  run_quietly "$ARTIFACTS/log/publish.log" dotnet publish apps/postrider -c Release --use-current-runtime \
    --self-contained false -p:PublishReadyToRun=true -o "$ARTIFACTS/postrider" -nologo -v q
}

publish_trimmed() {
  say "publishing the command line, trimmed and self-contained, at artifacts/postrider-trimmed/postrider"
  run_quietly "$ARTIFACTS/log/publish-trimmed.log" dotnet publish apps/postrider -c Release --use-current-runtime \
    --self-contained true -p:PublishTrimmed=true -p:PublishReadyToRun=true -o "$ARTIFACTS/postrider-trimmed" -nologo -v q
}

case ${1:-} in
  '') publish_framework_dependent ;;
  --trimmed) publish_trimmed ;;
  *) fail "build takes --trimmed or nothing" ;;
esac

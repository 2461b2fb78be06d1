# build [--trimmed | --framework-dependent | --arm64]: the command line, published for this machine at artifacts/postrider/postrider, or
# for arm64 processors at artifacts/arm64/postrider/postrider.
need_sdk
. dev.d/lib/publish.sh

case ${1:-} in
  '') publish_program ;;
  --trimmed) publish_trimmed ;;
  --framework-dependent) publish_framework_dependent ;;
  --arm64)
    publish_arm64
    PROGRAM=$ARM64_FOLDER/postrider
    ;;
  *) fail "build takes --trimmed, --framework-dependent, --arm64 or nothing" ;;
esac
say "built artifacts/${PROGRAM#"$ARTIFACTS/"}"

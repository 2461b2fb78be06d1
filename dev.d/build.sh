# build [--trimmed | --framework-dependent]: the command line, published for this machine at artifacts/postrider/postrider.
need_sdk
. dev.d/lib/publish.sh

case ${1:-} in
  '') publish_program ;;
  --trimmed) publish_trimmed ;;
  --framework-dependent) publish_framework_dependent ;;
  *) fail "build takes --trimmed, --framework-dependent or nothing" ;;
esac
say "built artifacts/${PROGRAM#"$ARTIFACTS/"}"

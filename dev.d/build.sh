# build [--framework-dependent]: the command line, published for this machine at artifacts/postrider/postrider.
need_sdk
. dev.d/lib/publish.sh

case ${1:-} in
  '') publish_program ;;
  --framework-dependent) publish_framework_dependent ;;
  *) fail "build takes --framework-dependent or nothing" ;;
esac

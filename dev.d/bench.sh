# bench NAME [--quick] [--json FILE] [--peers FOLDER] [--compare]
need_sdk
. dev.d/lib/bench.sh
bench "$@"

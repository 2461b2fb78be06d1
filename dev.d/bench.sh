# bench NAME [--quick] [--json FILE] [--peers FOLDER] [--compare]
. dev.d/lib/bench.sh
bench "$@"

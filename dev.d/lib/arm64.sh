# Trying the program for arm64 in an emulator: a stream on disk, messages through both engines, and all of it again after a restart.

try_arm64() {
  local log=$ARTIFACTS/log/arm64.log store=$ARTIFACTS/arm64/store messages=20000 engine
  say "trying it in an emulator"
  rm -rf "$store"
  : >"$log"
  for engine in epoll sockets; do
    arm64_server "$engine"
    if [ "$engine" = epoll ]; then
      arm64 stream add TRY --subjects try --server "$ARM64_ADDRESS" >>"$log" || arm64_failed "the stream was not created"
      arm64 pub try '{{Count}}' --count "$messages" --jetstream --server "$ARM64_ADDRESS" >>"$log" || arm64_failed "the messages were not stored"
    fi
    arm64 stream info TRY --json --server "$ARM64_ADDRESS" | tr -d ' ' | grep -q "\"messages\":$messages," || arm64_failed "the stream does not have $messages messages ($engine)"
    arm64 stream get TRY "$messages" --server "$ARM64_ADDRESS" | grep -qw "$messages" || arm64_failed "the last message is not as it was sent ($engine)"
    kill "$ARM64_SERVER"
    wait "$ARM64_SERVER" || arm64_failed "the server did not end well ($engine)"
  done
  rm -rf "$store"
}

arm64() { "$ARM64_ROOT/usr/bin/qemu-aarch64-static" -L "$ARM64_SYSTEM" "$ARM64_FOLDER/postrider" "$@" 2>>"$log"; }

# arm64_server ENGINE: starts it on a free port and waits until it is ready.
arm64_server() {
  local waited=0 ports
  rm -rf "$ARTIFACTS/arm64/ports"
  mkdir -p "$ARTIFACTS/arm64/ports"
  "$ARM64_ROOT/usr/bin/qemu-aarch64-static" -L "$ARM64_SYSTEM" "$ARM64_FOLDER/postrider" \
    serve -a 127.0.0.1 -p -1 -js -sd "$store" --engine "$1" --ports_file_dir "$ARTIFACTS/arm64/ports" 2>>"$log" &
  ARM64_SERVER=$!
  until ports=$(cat "$ARTIFACTS"/arm64/ports/*.ports 2>/dev/null) && [ -n "$ports" ]; do
    kill -0 "$ARM64_SERVER" 2>/dev/null && [ $((waited += 1)) -lt 600 ] || arm64_failed "the server did not start ($1)"
    sleep 0.1
  done
  ARM64_ADDRESS=$(echo "$ports" | grep -o 'nats://[^"]*' | head -n 1)
}

arm64_failed() {
  kill "$ARM64_SERVER" 2>/dev/null || true
  # Otherwise the next ./dev pack --arm64 would pack it untried.
  rm -rf "$ARM64_FOLDER"
  tail -n 20 "$log" >&2
  fail "the program for arm64 does not work: $1."
}

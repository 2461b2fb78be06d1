# Publishing the command line at artifacts/postrider/postrider.

PROGRAM=$ARTIFACTS/postrider/postrider
ARM64_FOLDER=$ARTIFACTS/arm64/postrider

# One native file: no .NET on the machine, listening after some milliseconds, 17 MB idle (docs/adr/0005-native-program.md).
# Its compiler comes from the package feed once, the linker from Debian.
publish_program() {
  if ! (need_linker); then
    warn "without clang and lld the command line is published trimmed instead: it takes longer to start and twice the memory."
    publish_trimmed
    return
  fi
  # shellcheck disable=SC2046
  if publish_to "native, one file" -p:PublishNative=true $(instruction_set); then return 0; fi
  packages_missing || fail "the command line does not build."
  warn "the native compiler's packages could not be had (no network?): publishing trimmed instead: it takes longer to start and twice the memory."
  publish_trimmed
}

# Trimmed and precompiled, with its own runtime.
publish_trimmed() {
  if publish_to "trimmed, with its own runtime" --self-contained true -p:PublishTrimmedProgram=true; then return 0; fi
  packages_missing || fail "the command line does not build."
  warn "the runtime's package could not be had (no network?): publishing for the installed .NET instead, at 10 MB more of memory."
  publish_framework_dependent
}

publish_framework_dependent() {
  publish_to "for the installed .NET" --self-contained false -p:PublishReadyToRun=true --use-current-runtime || fail "the command line does not build."
}

# For arm64 processors, on any Debian. It runs there, and here in an emulator, which checks it.
publish_arm64() {
  need_linker
  . dev.d/lib/debian.sh
  [ -e "$ARM64_ROOT/.complete" ] || fetch_arm64
  PUBLISH_FOLDER=$ARM64_FOLDER publish_to "native, one file, for arm64" -p:PublishNative=true -p:CrossRoot="$ARM64_ROOT" ||
    fail "the command line does not build for arm64."
  . dev.d/lib/arm64.sh
  try_arm64
}

# is_outdated PROGRAM: there is none, or it is older than its sources, and would be packed as the new version.
is_outdated() {
  [ ! -x "$1" ] || find src apps adapters \( -name bin -o -name obj \) -prune -o -type f -newer "$1" -print -quit | grep -q .
}

packages_missing() { grep -qE 'NETSDK1112|NU1101|NU1102|NU1301' "$ARTIFACTS/log/publish.log"; }

# instruction_set: the option for x86-64-v3 (AVX2, BMI, FMA) where this machine's processor has it. Without it the compiler
# assumes x86-64-v2 and the program checks for further instructions when it starts.
instruction_set() {
  local flag
  [ "$(uname -m)" = x86_64 ] || return 0
  for flag in avx2 bmi1 bmi2 f16c fma abm movbe; do
    grep -qwm 1 "$flag" /proc/cpuinfo 2>/dev/null || return 0
  done
  echo -p:IlcInstructionSet=x86-64-v3
}

# publish_to HOW ARGUMENTS...: files of an earlier publish are removed. PUBLISH_FOLDER replaces artifacts/postrider.
publish_to() {
  local folder=${PUBLISH_FOLDER:-$ARTIFACTS/postrider}
  local fresh=$folder.new
  say "publishing the command line at artifacts/${folder#"$ARTIFACTS/"}/postrider ($1)"
  shift
  rm -rf "$fresh"
  run_building "$ARTIFACTS/log/publish.log" dotnet publish apps/postrider -c Release \
    -p:PublishDocumentationFiles=false -o "$fresh" -nologo -v m "$@" || return
  # Under this name it only accepts nats-server's flags.
  ln -s postrider "$fresh/nats-server"
  rm -rf "$folder"
  mv "$fresh" "$folder"
}

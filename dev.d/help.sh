cat <<'TEXT'
usage: ./dev VERB [ARGUMENTS]

  run [ARGUMENTS]         build, then serve on 127.0.0.1:4222 (monitoring on 8222) with the sample service in it
  test [NAME ...] [-- X]  build Release and run the test projects (or those whose name ends in NAME; X goes to the
                          runner, e.g. -- --filter-class '*FrameParser*'); the last line is 'N passed, N failed'
  check                   what to run before pushing: restore, format, build with warnings as errors, unit and
                          generator tests
  build [--trimmed | --framework-dependent | --arm64]
                          publish the command line for this machine at artifacts/postrider/postrider, as one native file
                          (--trimmed: with its own runtime, as is published if clang, lld or the compiler's packages
                          are not available; --framework-dependent: for the installed .NET, smallest on the disk;
                          --arm64: for arm64 processors, at artifacts/arm64/postrider/postrider, tried in an emulator)
  bench crash [ROUNDS]    kill the broker with SIGKILL while messages flow, and check the stored data (300 rounds)
  bench plots             draw the pictures of bench/RESULTS.md from the committed rows
  bench NAME [--quick] [--json FILE] [--peers FOLDER] [--compare]
                          run one benchmark table (./dev bench lists the names). --quick: at most five minutes.
                          --json: each row also as a JSON line. --peers: also measure the peers that no registry has and
                          whose assemblies are in FOLDER. --compare: name each row that is worse than the committed
                          one by more than its noise
  pack [--arm64]          the NuGet packages, and on Debian a package with a systemd unit, at artifacts/packages
                          (--arm64: a second one for arm64 processors)
  api                     rewrite the public API text files in api/ from the assemblies; review the diff
  profile                 record the usual branches and callees of the server while the rows of the benchmarks run, for the
                          native compiler (in src/Postrider.Broker/build); do so after larger changes of hot paths
  docs                    the documentation as a static site at artifacts/site; a broken link fails
  help                    this text

Every verb installs the missing programs that it needs: the .NET SDK of global.json, Debian packages (clang and lld for the
native program among them), Go's nats-server and the C client, RabbitMQ, the SOAP clients of Python, PHP and Perl (unpacked
under artifacts/, nothing in the system changes), the npm clients. A second run finds them.
Without root or network it prints what is missing and how to get it.
TEXT

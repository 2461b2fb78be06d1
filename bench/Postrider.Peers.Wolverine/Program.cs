return args is ["routing", ..] ? await Peers.Wolverine.WolverineQueue.RunAsync(args[1..]) : Postrider.Benchmarks.BenchProgram.Run(args);

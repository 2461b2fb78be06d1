return Postrider.Benchmarks.BenchProgram.Run(args);

using Postrider.Benchmarks.Copies;
using Postrider.Benchmarks.Dispatch;
using Postrider.Benchmarks.Flow;
using Postrider.Benchmarks.Hosting;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Storage;

namespace Postrider.Benchmarks;

/// <summary>Runs a table by its name; a program with peers calls this too.</summary>
public static class BenchProgram
{
    /// <summary>Runs a table.</summary>
    /// <param name="args">Its name and its options.</param>
    /// <returns>The exit code.</returns>
    public static int Run(string[] args) => args switch
    {
        ["copies", ..] => CopyBenchmarks.Run(),
        ["dispatch", ..] => DispatchBench.Run(args[1..]),
        ["flow", ..] => FlowBench.Run(args[1..]),
        ["hosting", ..] => HostingBench.RunAsync(args[1..]).GetAwaiter().GetResult(),
        ["messagepack", ..] => CodecBench.Run(args[1..]),
        ["rpc", ..] => RpcBench.Run(args[1..]),
        ["storage", ..] => StorageBenchmarks.Run(args[1..]),
        _ => Usage(),
    };

    private static int Usage()
    {
        Console.Error.WriteLine("usage: copies");
        Console.Error.WriteLine("       dispatch [--quick] [--json FILE] [--row TEXT] [--subject TEXT]");
        Console.Error.WriteLine("       flow [--quick] [--json FILE] [--write-results FOLDER] [--table NAME] [--row TEXT] [--subject TEXT]");
        Console.Error.WriteLine("       hosting [--quick] [--json FILE]");
        Console.Error.WriteLine("       messagepack [--quick] [--json FILE] [--write-results FOLDER] [--row TEXT] [--subject TEXT]");
        Console.Error.WriteLine("       rpc [--quick] [--json FILE] [--write-results FOLDER] [--row TEXT] [--subject TEXT]");
        Console.Error.WriteLine("       storage [append|read|last|recovery|all] [messages]");
        return 2;
    }
}

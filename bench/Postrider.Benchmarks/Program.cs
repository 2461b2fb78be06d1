using Postrider.Benchmarks.Dispatch;

return args switch
{
    ["dispatch", ..] => DispatchBench.Run(args[1..]),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine("usage: dispatch [--quick] [--json FILE] [--row TEXT] [--subject TEXT]");
    return 2;
}

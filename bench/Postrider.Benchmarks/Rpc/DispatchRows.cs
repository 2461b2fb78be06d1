using Postrider.Benchmarks.Turns;
using Postrider.Rpc;

namespace Postrider.Benchmarks.Rpc;

/// <summary>The dispatch patterns of the socket, beside HTTP: so many in flight, a burst, calls one after the other.</summary>
internal sealed class DispatchRows
{
    public const string Correlated = Turn.Ours + " correlated";
    public const string Blocking = Turn.Ours + " blocking";

    private const int BurstCalls = 1_000;
    private const int SequentialCalls = 100;

    private static readonly (string Shape, int Items)[] s_messages = [("Small", 1), ("Large", 10)];

    private readonly IReadOnlyList<RpcSubject> _subjects;

    public DispatchRows(RpcSubjects subjects) => _subjects =
    [
        subjects.Connect(Correlated, DispatchPattern.Correlated, 1),
        subjects.Connect(Blocking, DispatchPattern.Blocking, 1),
        subjects.Connect(Blocking + ", 16 connections", DispatchPattern.Blocking, 16),
        .. subjects.All.Where(s => s.Name is RpcSubjects.HttpPacked or RpcSubjects.MinimalApi or RpcSubjects.MemoryPack or RpcSubjects.Grpc or RpcSubjects.ProtobufNet or RpcSubjects.MagicOnion or RpcSubjects.Orleans or RpcSubjects.CoreWcf),
    ];

    public async Task RunAsync(string[] args, TurnReport report)
    {
        var quick = args.Contains("--quick");
        var flights = quick ? new TurnTaking(5, TimeSpan.FromMilliseconds(30), TimeSpan.FromMilliseconds(80)) : new(9, TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(250));
        foreach (var (shape, items) in s_messages)
        {
            foreach (var callers in (int[])[1, 16, 256])
            {
                await RowAsync($"{shape} {items}, {callers} in flight", flights, s => new FlightTurn(s.Name, callers, s.Of(shape, items).Run), (cell, row) => RpcTargets.Flight(cell, row, shape, callers));
            }
        }

        // As Synapse measured its two: six runs of each.
        var bursts = new TurnTaking(6, TimeSpan.FromMilliseconds(quick ? 10 : 100), TimeSpan.Zero);
        foreach (var (shape, items) in s_messages)
        {
            await RowAsync($"{shape} {items}, burst of {BurstCalls}", bursts, s => new BurstTurn(s.Name, Burst(s.Of(shape, items).Run)), (_, _) => []);
            await RowAsync($"{shape} {items}, {SequentialCalls} in sequence", bursts, s => new BurstTurn(s.Name, Sequence(s.Of(shape, items).Run)), (_, _) => []);
        }

        async Task RowAsync(string row, TurnTaking taking, Func<RpcSubject, Turn> turnOf, Func<TurnCell, IReadOnlyList<TurnCell>, IEnumerable<TurnTarget>> targets)
        {
            if (!BenchArguments.Matches(args, "--row", row))
                return;
            var cells = await taking.TakeAsync(row, [.. _subjects.Where(s => BenchArguments.Matches(args, "--subject", s.Name)).Select(turnOf)]);
            report.Add(cells, cell => targets(cell, cells));
        }
    }

    // All are begun before the first is awaited.
    private static Func<ValueTask> Burst(Func<ValueTask> call)
    {
        var pending = new ValueTask[BurstCalls];
        return async () =>
        {
            for (var i = 0; i < pending.Length; i++)
                pending[i] = call();
            foreach (var one in pending)
                await one;
        };
    }

    private static Func<ValueTask> Sequence(Func<ValueTask> call) => async () =>
    {
        for (var i = 0; i < SequentialCalls; i++)
            await call();
    };
}

using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Turns;

namespace Postrider.Benchmarks.Routing;

/// <summary>Objects through a queue of the process: posted to handled.</summary>
public static class PostRows
{
    /// <summary>How many are posted at once.</summary>
    public const int Many = 1_000;

    private const int MessageBytes = 24;

    /// <summary>Measures ours beside others.</summary>
    /// <param name="args"><c>--quick</c>, <c>--json FILE</c>.</param>
    /// <param name="others">For a number of messages: their turns, which post them and wait for <see cref="Arrivals"/>.</param>
    public static async Task<int> RunAsync(string[] args, Func<int, IEnumerable<Turn>> others)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(others);
        var report = new TurnReport("routing", BenchArguments.Option(args, "--json"));
        var turns = TurnTaking.Of(args.Contains("--quick"));
        await using var services = new ServiceCollection().AddPostrider().BuildServiceProvider();
        var dispatcher = services.GetRequiredService<IDispatcher>();
        foreach (var (row, count, ratio, bytes) in new[] { ("post one", 1, 0.4, 96.0), ("post 1,000", Many, 0.15, 64.0) })
        {
            var cells = await turns.TakeAsync(row, [new SingleTurn(Turn.Ours, () => PostAsync(dispatcher, count)), .. others(count)]);
            report.Add(cells, ours => [.. RoutingTargets.Of(ours, cells, "Wolverine", ratio), RoutingTargets.Bytes(ours, count, MessageBytes + bytes)]);
        }

        return 0;
    }

    /// <summary>A turn of another library.</summary>
    /// <param name="subject">Who.</param>
    /// <param name="post">Posts the messages and waits for them.</param>
    public static Turn Other(string subject, Func<ValueTask> post) => new SingleTurn(subject, post);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask PostAsync(IDispatcher dispatcher, int count)
    {
        var handled = Arrivals.Expect(count);
        for (var i = 0; i < count; i++)
            await dispatcher.PostAsync(new Posted(i));
        await handled;
    }
}

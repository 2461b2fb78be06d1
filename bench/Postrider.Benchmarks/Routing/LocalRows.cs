using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;
using Postrider.Benchmarks.Turns;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Benchmarks.Routing;

/// <summary>Messages that stay in the process, in a container with routes and in one without.</summary>
public static class LocalRows
{
    private const string Unrouted = "bare: no routes";
    private const double MaxNanosecondsMore = 5;

    /// <summary>Measures a command and a query.</summary>
    internal static async Task RunAsync(TurnTaking turns, TurnReport report)
    {
        await using var plain = new ServiceCollection().AddSingleton<Dependency>().AddPostrider().BuildServiceProvider();
        await using var routed = new ServiceCollection().AddSingleton<Dependency>()
            .AddPostrider(static options => options.RouteNotification<Elsewhere>(static _ => new InMemoryTransport(), new JsonSerializerProvider(RoutingJson.Default), "elsewhere"))
            .BuildServiceProvider();
        foreach (var (row, make) in new (string, Func<IDispatcher, Func<ValueTask>>)[] { ("local command", Command), ("local query", Query) })
        {
            var cells = await turns.TakeAsync(row, [new SingleTurn(Turn.Ours, make(routed.GetRequiredService<IDispatcher>())), new SingleTurn(Unrouted, make(plain.GetRequiredService<IDispatcher>()))]);
            report.Add(cells, ours => [RoutingTargets.NanosecondsOver(ours, cells[1], MaxNanosecondsMore), RoutingTargets.BytesOver(ours, cells[1], 0)]);
        }
    }

    /// <summary>Runs what the rows have in common, so that the first one is not measured half compiled.</summary>
    internal static async Task SettleAsync(TurnTaking turns)
    {
        await using var services = new ServiceCollection()
            .AddPostrider(static options => options.RouteNotification<Elsewhere>(static _ => new InMemoryTransport(), new JsonSerializerProvider(RoutingJson.Default), "elsewhere"))
            .BuildServiceProvider();
        var (dispatcher, message) = (services.GetRequiredService<IDispatcher>(), new Elsewhere(1));
        await turns.SettleAsync([new SingleTurn(Turn.Ours, () => dispatcher.PublishAsync(message))]);
    }

    private static Func<ValueTask> Command(IDispatcher dispatcher)
    {
        var command = new Command(1);
        return () => dispatcher.SendAsync(command);
    }

    private static Func<ValueTask> Query(IDispatcher dispatcher)
    {
        var query = new Query(1);
        return () =>
        {
            var answer = dispatcher.SendAsync(query);
            return answer.IsCompletedSuccessfully && answer.Result >= 0 ? default : throw new InvalidOperationException("The query did not complete at once.");
        };
    }
}

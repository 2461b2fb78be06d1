using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using Npgsql;
using Postrider.Benchmarks.Routing;
using Postrider.Benchmarks.Turns;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Routing;

/// <summary>Four relays send committed rows of fifty keys from PostgreSQL to a transport that does nothing, and keep the order of each
/// key.</summary>
internal static class OutboxRows
{
    private const int Keys = 50;
    private const int Relays = 4;
    private const double MaxMicroseconds = 100; // 10,000 messages a second

    public static async Task RunAsync(TurnTaking turns, TurnReport report, bool quick)
    {
        await using var server = await PostgresProcess.StartAsync();
        if (server is null)
        {
            Console.WriteLine("Outbox: no row; POSTRIDER_POSTGRES names no server.");
            return;
        }

        var count = quick ? 2_000 : 20_000;
        var rounds = turns with { Rounds = Math.Min(turns.Rounds, 5), Phase = TimeSpan.FromMilliseconds(1) };
        await using var source = NpgsqlDataSource.Create(server.ConnectionString);
        await OutboxSchema.CreateAsync(source, OutboxDatabase.PostgreSql);
        var order = new SentOrder();
        var wire = new NullTransport(new("wire", order.Add));
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddPostrider(static options => options.RouteNotification<Stored>("outbox", new JsonSerializerProvider(StoredJson.Default), "stored"));
        builder.Services.AddPostriderTransport("wire", _ => wire, new JsonSerializerProvider(StoredJson.Default));
        builder.Services.AddPostriderOutbox(static options => options.Relay = false).UseDataSource(_ => source, OutboxDatabase.PostgreSql).AddTransport("outbox", over: "wire");
        using var host = builder.Build();
        await host.StartAsync();

        var relaying = new RateTurn(Turn.Ours, count, () => RelayAsync(source, wire, order), () => WriteAsync(host.Services, count));
        var cells = await rounds.TakeAsync("outbox, 4 relays, 50 keys", [relaying]);
        report.Add(cells, ours => [new TurnTarget("us a message", ours.Value, MaxMicroseconds), new TurnTarget("out of order", order.OutOfOrder, 0)]);
        await host.StopAsync();
        await TransactionRows.RunAsync(turns, report, source);
    }

    private static async ValueTask WriteAsync(IServiceProvider services, int count)
    {
        const int each = 100;
        for (var first = 0; first < count; first += each)
        {
            await using var scope = services.CreateAsyncScope();
            var (session, dispatcher) = (scope.ServiceProvider.GetRequiredService<OutboxSession>(), scope.ServiceProvider.GetRequiredService<IDispatcher>());
            await session.BeginAsync();
            for (var i = first; i < first + each; i++)
                await dispatcher.PublishAsync(new Stored($"key {i % Keys}"));
            await session.CommitAsync();
        }
    }

    private static async ValueTask RelayAsync(NpgsqlDataSource source, NullTransport wire, SentOrder order)
    {
        var options = new OutboxOptions();
        await Task.WhenAll(Enumerable.Range(0, Relays).Select(_ => Task.Run(async () =>
        {
            var relay = new PostgreSqlRelay(
                new DataSourceStore(source, OutboxDatabase.PostgreSql, options), new BatchSender(wire, "wire", options, TimeProvider.System, NullLogger.Instance), options, TimeProvider.System);
            if (await relay.DrainAsync(false, default) is { } failure)
                throw new InvalidOperationException($"The relay failed: {failure}");
            await relay.EndAsync();
        })));
        if (!order.HasAll)
            throw new InvalidOperationException("Rows were left.");
    }

    /// <summary>The last number of each key; numbers grow in the order in which the rows were written.</summary>
    private sealed class SentOrder
    {
        private readonly ConcurrentDictionary<string, ulong> _last = new(StringComparer.Ordinal);
        private int _outOfOrder;

        public int OutOfOrder => _outOfOrder;

        public bool HasAll => _last.Count == Keys;

        public object? Add(in MessageProperties properties, ReadOnlyMemory<byte> body)
        {
            var number = Stored.NumberOf(body.Span);
            if (_last.TryGetValue(properties.Key!, out var last) && number <= last)
                Interlocked.Increment(ref _outOfOrder);
            _last[properties.Key!] = number;
            return null;
        }
    }
}

internal sealed partial record Stored(string Key) : INotification, IKeyed
{
    private static ulong s_count;

    public ulong Number { get; init; } = ++s_count;

    public static ulong NumberOf(ReadOnlySpan<byte> body)
    {
        var at = body.LastIndexOf((byte)':');
        return ulong.Parse(body[(at + 1)..^1], System.Globalization.CultureInfo.InvariantCulture);
    }
}

[JsonSerializable(typeof(Stored))]
internal sealed partial class StoredJson : JsonSerializerContext;

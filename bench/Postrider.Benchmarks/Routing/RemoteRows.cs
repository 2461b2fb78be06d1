using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Turns;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Benchmarks.Routing;

/// <summary>Events that leave along a route over a null wire, beside the encode alone: the body as JSON and the message in the provider's
/// form.</summary>
/// <remarks>The profiles are what a route adds to a message: nothing (throughput), a key of idempotency (retry), a time to live (poison),
/// a running activity (observability).</remarks>
public static class RemoteRows
{
    private const string Encode = "bare: encode";
    private const double MaxNanosecondsMore = 40;
    private const double MaxNanosecondsOfProfiles = 60;

    private static readonly JsonSerializerProvider s_json = new(RoutingJson.Default);
    private static readonly Shipped s_event = new(7, "tea");
    private static readonly ShippedOnce s_once = new(7, "tea");

    /// <summary>Measures the wires.</summary>
    internal static async Task RunAsync(TurnTaking turns, TurnReport report, IReadOnlyList<NullWire> wires)
    {
        foreach (var wire in wires)
        {
            await using var routed = Routed<Shipped>(wire, "events", out var dispatcher);
            await RowAsync(turns, report, $"event to {wire.Provider}", () => dispatcher.PublishAsync(s_event), Encoded(wire, s_event, timeToLive: null), MaxNanosecondsMore);
        }
    }

    /// <summary>Measures the four profiles of some wires.</summary>
    internal static async Task RunProfilesAsync(TurnTaking turns, TurnReport report, IEnumerable<NullWire> wires)
    {
        var life = TimeSpan.FromMinutes(5);
        foreach (var wire in wires)
        {
            await using var plain = Routed<Shipped>(wire, "events", out var throughput);
            await using var once = Routed<ShippedOnce>(wire, "events", out var retry);
            await using var expiring = Routed<Shipped>(wire, new SendTarget("events") { TimeToLive = life }, out var poison);
            await RowAsync(turns, report, $"{wire.Provider}, throughput", () => throughput.PublishAsync(s_event), Encoded(wire, s_event, timeToLive: null), MaxNanosecondsOfProfiles);
            await RowAsync(turns, report, $"{wire.Provider}, retry", () => retry.PublishAsync(s_once), Encoded(wire, s_once, timeToLive: null), MaxNanosecondsOfProfiles);
            await RowAsync(turns, report, $"{wire.Provider}, poison", () => poison.PublishAsync(s_event), Encoded(wire, s_event, life), MaxNanosecondsOfProfiles);
            using var activity = new Activity("bench").SetIdFormat(ActivityIdFormat.W3C).Start();
            await RowAsync(turns, report, $"{wire.Provider}, observability", () => throughput.PublishAsync(s_event), Encoded(wire, s_event, timeToLive: null, activity.Id), MaxNanosecondsOfProfiles);
        }
    }

    private static async Task RowAsync(TurnTaking turns, TurnReport report, string row, Func<ValueTask> routed, Func<ValueTask> encoded, double most)
    {
        var cells = await turns.TakeAsync(row, [new SingleTurn(Turn.Ours, routed), new SingleTurn(Encode, encoded)]);
        report.Add(cells, ours => [RoutingTargets.NanosecondsOver(ours, cells[1], most), RoutingTargets.BytesOver(ours, cells[1], 0)]);
    }

    private static ServiceProvider Routed<T>(NullWire wire, SendTarget target, out IDispatcher dispatcher)
        where T : INotification
    {
        var transport = new NullTransport(wire);
        var services = new ServiceCollection().AddPostrider(options => options.RouteNotification<T>(_ => transport, s_json, target)).BuildServiceProvider();
        dispatcher = services.GetRequiredService<IDispatcher>();
        return services;
    }

    // The same body and the same properties, without dispatcher, route and sender.
    private static Func<ValueTask> Encoded<T>(NullWire wire, T message, TimeSpan? timeToLive, string? traceParent = null)
    {
        var bodies = new EnvelopeSerializer<T>(s_json);
        var type = typeof(T).FullName;
        var key = (message as Middleware.IIdempotent)?.IdempotencyKey;
        return () =>
        {
            var body = BodyBuffers.Rent();
            var contentType = bodies.Write(message, body);
            var properties = new MessageProperties(MessageIds.NextNumber(), correlationId: null)
            {
                ContentType = contentType,
                Type = type,
                IdempotencyKey = key,
                ExpiresAt = timeToLive is { } life ? TimeProvider.System.GetUtcNow() + life : null,
                TraceParent = traceParent,
            };
            s_last = wire.Encode(in properties, body.WrittenMemory);
            BodyBuffers.Return(body);
            return default;
        };
    }

    private static object? s_last;
}

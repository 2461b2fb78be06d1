using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Diagnostics;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812, CA1001 // found by reflection; a row ends with its process

/// <summary>The message leaves as bytes, crosses the transport in memory and meets its handler on the other side; the answer
/// comes back the same way.</summary>
internal sealed class RoutedLocally : BenchRow
{
    private IDispatcher _near = null!;

    public override string Row => "query, routed through the in-memory transport";

    public override bool UsesThreads => true;

    public override void Setup()
    {
        var transport = new InMemoryTransport();
        var serializers = new JsonSerializerProvider(RouteJson.Default);
        var far = new ServiceCollection().AddSingleton<Dependency>().AddPostrider().BuildServiceProvider();
        new MessagePump(transport, serializers, far).Request<Routed, int>(new TransportBinding("routed")).StartAsync().AsTask().GetAwaiter().GetResult();
        _near = new ServiceCollection().AddSingleton<Dependency>()
            .AddPostrider(o => o.Route<Routed, int>(_ => transport, serializers, "routed"))
            .BuildServiceProvider().GetRequiredService<IDispatcher>();
    }

    public override void Run(int operations) => RunAsync(_near, operations).GetAwaiter().GetResult();

    private static async Task RunAsync(IDispatcher dispatcher, int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += await dispatcher.SendAsync(new Routed(i)).ConfigureAwait(false);
    }
}

[JsonSerializable(typeof(Routed))]
[JsonSerializable(typeof(int))]
internal sealed partial class RouteJson : JsonSerializerContext;

internal abstract class TelemetryRow : BenchRow
{
    protected IDispatcher Dispatcher { get; private set; } = null!;

    public override void Setup() => Dispatcher = new ServiceCollection().AddSingleton<Dependency>()
        .AddPostrider(o => o.Telemetry = true).BuildServiceProvider().GetRequiredService<IDispatcher>();

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
        {
            var task = dispatcher.SendAsync(new Traced(i));
            if (!task.IsCompletedSuccessfully)
                NotComplete();
            sum += task.Result;
        }

        Sink += sum;
    }
}

internal sealed class TelemetryUnheard : TelemetryRow
{
    public override string Row => "query, telemetry on, nobody listens";

    public override double? TargetBytes => 24;
}

internal sealed class TelemetryHeard : TelemetryRow
{
    private readonly ActivityListener _activities = new()
    {
        ShouldListenTo = source => source.Name == DispatchTelemetry.Name,
        Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
    };

    private readonly MeterListener _meters = new()
    {
        InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == DispatchTelemetry.Name)
                listener.EnableMeasurementEvents(instrument);
        },
    };

    public override string Row => "query, telemetry on, traced and measured";

    public override void Setup()
    {
        base.Setup();
        ActivitySource.AddActivityListener(_activities);
        _meters.SetMeasurementEventCallback<double>(static (_, _, _, _) => { });
        _meters.Start();
    }
}

using Postrider.Broker;
using Postrider.Client;
using Postrider.Diagnostics;
using Postrider.Flow.Outcomes;
using Postrider.OpenTelemetry;
using Postrider.Outbox;
using Postrider.Resilience;
using Postrider.Rpc;
using Postrider.UnitTests.Architecture;

namespace Postrider.UnitTests.OpenTelemetry;

public sealed class PostriderInstrumentationExtensionsTests
{
    [Fact]
    public void Sources_and_meters_are_those_of_the_constants_and_of_the_guide()
    {
        string[] sources = [DispatchTelemetry.Name, ClientTelemetry.Name, FlowTracing.SourceName, OutboxTelemetry.Name, RpcTracing.SourceName];
        string[] meters = [DispatchTelemetry.Name, BrokerMetrics.MeterName, ClientTelemetry.Name, FlowMeter.MeterName, OutboxTelemetry.Name, ObserverErrors.MeterName, RpcMetrics.MeterName];
        var guide = Repository.Read("docs/guide/observability.md");
        var metrics = guide.IndexOf("## Metrics", StringComparison.Ordinal);

        Assert.Equal(sources, PostriderInstrumentationExtensions.ActivitySources);
        Assert.Equal(meters, PostriderInstrumentationExtensions.Meters);
        Assert.All(sources, source => Assert.Contains($"\n| `{source}` |", guide[..metrics], StringComparison.Ordinal));
        Assert.All(meters, meter => Assert.Contains($"\n| `{meter}` |", guide[metrics..], StringComparison.Ordinal));
    }
}

using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace Postrider.OpenTelemetry;

/// <summary>Adds Postrider's traces and metrics to OpenTelemetry.</summary>
public static class PostriderInstrumentationExtensions
{
    /// <summary>The activity sources: dispatcher (<c>Postrider</c>), NATS client, Flow operators, outbox and RPC.</summary>
    public static IReadOnlyList<string> ActivitySources { get; } = ["Postrider", "Postrider.Client", "Postrider.Flow", "Postrider.Outbox", "Postrider.Rpc"];

    /// <summary>The meters: dispatcher (<c>Postrider</c>), broker, NATS client, Flow operators, outbox, resilience policies and RPC.</summary>
    public static IReadOnlyList<string> Meters { get; } = ["Postrider", "Postrider.Broker", "Postrider.Client", "Postrider.Flow", "Postrider.Outbox", "Postrider.Resilience", "Postrider.Rpc"];

    /// <summary>Records the activities of dispatcher, NATS client, Flow, outbox and RPC.</summary>
    /// <param name="builder">The tracer provider's builder.</param>
    /// <returns>The builder.</returns>
    /// <remarks>The dispatcher creates activities with <c>AddPostrider(options => options.Telemetry = true)</c>, RPC for channels and services
    /// that <c>WithTracing()</c> was called on; channels of the container have it, its servers with <c>AddRpcServerTelemetry()</c>.</remarks>
    /// <example><code>
    /// builder.Services.AddOpenTelemetry()
    ///     .WithTracing(tracing => tracing.AddPostriderInstrumentation().AddOtlpExporter())
    ///     .WithMetrics(metrics => metrics.AddPostriderInstrumentation().AddOtlpExporter());
    /// </code></example>
    public static TracerProviderBuilder AddPostriderInstrumentation(this TracerProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddSource([.. ActivitySources]);
    }

    /// <summary>Records the metrics of dispatcher, broker, NATS client, Flow, outbox, resilience policies and RPC.</summary>
    /// <param name="builder">The meter provider's builder.</param>
    /// <returns>The builder.</returns>
    public static MeterProviderBuilder AddPostriderInstrumentation(this MeterProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddMeter([.. Meters]);
    }
}

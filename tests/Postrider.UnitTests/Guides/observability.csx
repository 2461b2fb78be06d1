// A host, and the calls of OpenTelemetry's own packages, which the tests do not reference.
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

internal static class Surroundings
{
    public static readonly HostApplicationBuilder builder = null!;

    public static OpenTelemetryBuilder AddOpenTelemetry(this IServiceCollection services) => new(services);
}

internal sealed record OpenTelemetryBuilder(IServiceCollection Services)
{
    public OpenTelemetryBuilder WithTracing(Action<TracerProviderBuilder> configure) => configure is null ? throw new ArgumentNullException(nameof(configure)) : this;

    public OpenTelemetryBuilder WithMetrics(Action<MeterProviderBuilder> configure) => configure is null ? throw new ArgumentNullException(nameof(configure)) : this;
}

internal static class Exporters
{
    public static TracerProviderBuilder AddOtlpExporter(this TracerProviderBuilder builder) => builder;

    public static MeterProviderBuilder AddOtlpExporter(this MeterProviderBuilder builder) => builder;
}

using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Configuration;
using Postrider.Resilience;

namespace Postrider.Rpc.Hosting.Channels;

/// <summary>Reads the gates of a channel. The value of a key is the name of a gate of the container; a section defines one for the
/// channel alone.</summary>
internal sealed class ChannelGates(SectionReader reader, IConfigurationSection section, IServiceProvider services)
{
    public CircuitBreaker? CircuitBreaker()
        => Read(nameof(RpcChannelSettings.CircuitBreaker), "circuit breaker", "CircuitBreakers", "FailureThreshold", GateSections.CircuitBreaker);

    public RateLimiter? RateLimit()
        => Read(nameof(RpcChannelSettings.RateLimit), "rate limiter", "RateLimiters", "Permits", GateSections.RateLimiter);

    public Bulkhead? Bulkhead()
        => Read(nameof(RpcChannelSettings.Bulkhead), "bulkhead", "Bulkheads", "Capacity", GateSections.Bulkhead);

    private T? Read<T>(string key, string what, string flowSection, string example, Func<SectionReader, Func<TimeProvider, T>?> read)
        where T : class
    {
        if (section.GetSection(key).GetChildren().Any())
            return reader.Section(key) is { } own ? read(own)?.Invoke(services.GetService<TimeProvider>() ?? TimeProvider.System) : null;
        if (reader.Text(key) is not { } name)
            return null;
        if (services.GetKeyedService<T>(name) is { } shared)
            return shared;
        reader.Problem(key, $"is '{name}', and no {what} of this application has that name. Add Postrider:Flow:{flowSection}:{name} and call AddPostriderFlow, or give the channel one of its own with {key}:{example} and the other keys.");
        return null;
    }
}

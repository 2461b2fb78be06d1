using Postrider.Resilience;

namespace Postrider.Rpc.Hosting;

/// <summary>The addresses of a channel and its settings. Read from configuration by <c>AddRpcChannel</c>.</summary>
public sealed record RpcChannelSettings
{
    /// <summary>The addresses; several are balanced. The scheme chooses the transport: <c>tcp</c> and <c>unix</c> for the multiplexed
    /// socket, <c>http</c> and <c>https</c>, <c>ws</c> and <c>wss</c> for WebSockets, and those of added
    /// <see cref="RpcChannelFactory"/> objects. With <c>AddRpcServiceDiscovery</c>, an address can name a service.</summary>
    public IReadOnlyList<Uri> Addresses { get; init; } = [];

    /// <summary>The content type of the codec to use, for example <c>application/msgpack</c>; null for the container's first
    /// codec.</summary>
    public string? ContentType { get; init; }

    /// <summary>The timeout of a call that does not set one; null for the transport's default of 30 s.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>The time limit for connecting (socket and WebSocket); null for the default of 10 s.</summary>
    public TimeSpan? ConnectTimeout { get; init; }

    /// <summary>The maximum number of attempts of a call to an operation marked <c>[Idempotent]</c>; 1 for no retries.</summary>
    public int MaxAttempts { get; init; } = 1;

    /// <summary>The delay after which an <c>[Idempotent]</c> call is sent to another address as well; null for no hedging.</summary>
    public TimeSpan? HedgeDelay { get; init; }

    /// <summary>Rejects calls while the service fails (<see cref="RpcResilienceOptions.CircuitBreaker"/>); null for none. In the
    /// configuration: its options, or the name of one of the container's. May be shared.</summary>
    public CircuitBreaker? CircuitBreaker { get; init; }

    /// <summary>The rate of calls; further ones wait (<see cref="RpcResilienceOptions.RateLimit"/>); null for no limit. In the
    /// configuration: <c>Permits</c>, <c>Per</c> and <c>Burst</c>, or the name of one of the container's. May be shared.</summary>
    public RateLimiter? RateLimit { get; init; }

    /// <summary>The maximum number of concurrent calls; further ones wait (<see cref="RpcResilienceOptions.Bulkhead"/>); null for no
    /// limit. In the configuration: <c>Capacity</c>, or the name of one of the container's. May be shared.</summary>
    public Bulkhead? Bulkhead { get; init; }

    /// <summary>The channel, and the key of its address, as a sentence for errors.</summary>
    internal string? Source { get; init; }

    /// <summary>Whether calls are traced and measured (<see cref="RpcTracing"/>, <see cref="RpcMetrics"/>). Default true; without a
    /// listener it costs a check.</summary>
    public bool Telemetry { get; init; } = true;
}

namespace Postrider.Rpc.Server;

/// <summary>Limits of a <see cref="OneWayCallQueue"/>.</summary>
public sealed record OneWayCallQueueOptions
{
    /// <summary>The maximum number of waiting calls; further calls are rejected with status 429 and <c>Retry-After</c>.</summary>
    public int MaxWaiting { get; init; } = 10_000;

    /// <summary>The maximum number of concurrently running calls.</summary>
    public int MaxRunning { get; init; } = 64;
}

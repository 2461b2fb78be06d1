// The crawler and the shop of docs/guide/flow.md.
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Sources;
using Postrider.Resilience;

internal static class Surroundings
{
    public static readonly Uri[] urls = [];
    public static readonly CancellationToken ct = CancellationToken.None;
    public static readonly CancellationToken stoppingToken = CancellationToken.None;
    public static readonly TimeProvider time = TimeProvider.System;
    public static readonly CircuitBreaker breaker = null!;
    public static readonly RateLimiter limiter = null!;
    public static readonly PerKey<string, CircuitBreaker> breakers = null!;
    public static readonly FlowOptions options = new();
    public static readonly IAsyncEnumerable<Order> orders = null!;
    public static readonly FlowControl _control = new();
    public static int written;

    public static ValueTask<string> FetchAsync(Uri url, CancellationToken ct) => new(url.Host);

    public static Task<string> CallAsync(CancellationToken ct) => Task.FromResult("");

    public static ValueTask<int> WriteAsync(Batch<Order> rows, CancellationToken ct) => new(rows.Count);

    public static ValueTask HandleAsync(Order order, CancellationToken ct) => default;
}

public sealed record Order(string Customer);

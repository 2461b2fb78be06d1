namespace Postrider.Resilience.Http;

/// <summary>Options of a <see cref="ResilienceHandler"/>. Each part is off while it is null, except for the retries.</summary>
public sealed record HttpResilienceOptions
{
    /// <summary>How often and after what delay a request is retried; null for no retries. Default: 3 attempts, exponential with jitter
    /// from 200 ms.</summary>
    /// <remarks>Retried are requests that could not be sent, that exceeded <see cref="AttemptTimeout"/>, and those answered with 408,
    /// 429, 500, 502, 503 or 504. <c>Retry-After</c> is respected up to <see cref="RetryPolicy.MaxDelay"/>. <see cref="RetryPolicy.Handle"/>
    /// is asked in addition; it sees an <see cref="HttpRequestException"/> with the status.</remarks>
    public RetryPolicy? Retry { get; init; } = new() { BaseDelay = TimeSpan.FromMilliseconds(200), MaxDelay = TimeSpan.FromSeconds(30) };

    /// <summary>Whether methods that are not idempotent (<c>POST</c>, <c>PATCH</c>) are tried again, too: only for services that recognise
    /// a repeated request. A request with an <c>Idempotency-Key</c> header always is. Default false.</summary>
    public bool RetryUnsafeMethods { get; init; }

    /// <summary>The largest body in bytes that is kept for a retry. A request with a larger or endless body is sent once. Default 1 MiB.</summary>
    public long MaxBufferedBytes { get; init; } = 1024 * 1024;

    /// <summary>The time limit of each attempt, until the headers of the response; null for none. Default 10 s.</summary>
    public TimeSpan? AttemptTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Rejects requests while the service fails. The statuses and exceptions that are retried count as failures. May be shared.</summary>
    public CircuitBreaker? CircuitBreaker { get; init; }

    /// <summary>Makes attempts wait for permits. May be shared.</summary>
    public RateLimiter? RateLimit { get; init; }

    /// <summary>Limits how many requests run at once, from their first attempt to the headers of their response. May be shared.</summary>
    public Bulkhead? Bulkhead { get; init; }

    /// <summary>The clock of delays and time limits.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Checks the options.</summary>
    /// <exception cref="ArgumentException">A value is wrong; the message names it.</exception>
    public void Validate()
    {
        Retry?.Validate();
        if (MaxBufferedBytes is < 0 or > int.MaxValue)
            throw Wrong($"HttpResilienceOptions.MaxBufferedBytes is {MaxBufferedBytes}; it must be from 0 to {int.MaxValue}.");
        if (AttemptTimeout is { } timeout && (timeout <= TimeSpan.Zero || timeout.TotalMilliseconds > int.MaxValue))
            throw Wrong($"HttpResilienceOptions.AttemptTimeout is {timeout}; it must be positive and at most {TimeSpan.FromMilliseconds(int.MaxValue)}.");
    }

#pragma warning disable MA0015 // The wrong value is a property, which the message names.
    private static ArgumentException Wrong(string message) => new(message);
#pragma warning restore MA0015
}

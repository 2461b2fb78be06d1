using System.Diagnostics.CodeAnalysis;
using Postrider.Resilience;

namespace Postrider.Rpc;

/// <summary>Options of a <see cref="BalancedChannel"/>. Immutable.</summary>
public sealed record BalancedChannelOptions
{
    /// <summary>How idempotent calls are retried; null for no retries. Without <see cref="RetryPolicy.Handle"/>, calls that failed with
    /// <see cref="RpcStatus.Unavailable"/> or <see cref="RpcStatus.Busy"/> are retried.</summary>
    public RetryPolicy? Retry { get; init; }

    /// <summary>When slow idempotent calls are hedged: sent a second time, to another channel if possible, and the first response wins;
    /// null for never.</summary>
    public Hedge? Hedge { get; init; }

    /// <summary>When a channel is considered unhealthy, and for how long. Without <see cref="CircuitBreakerOptions.Handle"/>, failures
    /// with <see cref="RpcStatus.Unavailable"/> and <see cref="RpcStatus.Busy"/> count.</summary>
    public CircuitBreakerOptions Health { get; init; } = new() { FailureThreshold = 3, OpenTime = TimeSpan.FromSeconds(5), SuccessThreshold = 1 };

    /// <summary>The random source for choosing channels.</summary>
    public Random Random { get; init; } = Random.Shared;

    /// <summary>The clock for delays and timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Validates the values, those of <see cref="Retry"/>, <see cref="Hedge"/> and <see cref="Health"/> included.</summary>
    /// <exception cref="ArgumentException">A value is out of range or conflicts with another; the message names it.</exception>
    [SuppressMessage("Design", "MA0015", Justification = "Options are validated together; the exception names the option, which is no parameter.")]
    public void Validate()
    {
        if (Health is null)
            throw new ArgumentException("BalancedChannelOptions.Health is null; it needs a value.");
        if (Random is null)
            throw new ArgumentException("BalancedChannelOptions.Random is null; it needs a value.");
        if (TimeProvider is null)
            throw new ArgumentException("BalancedChannelOptions.TimeProvider is null; it needs a value.");

        Retry?.Validate();
        Hedge?.Validate();
        Health.Validate();
    }
}

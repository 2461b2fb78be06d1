using System.Diagnostics.CodeAnalysis;
using Postrider.Resilience;

namespace Postrider.Rpc;

/// <summary>How a <see cref="BalancedChannel"/> calls. Immutable.</summary>
public sealed record BalancedChannelOptions
{
    /// <summary>How idempotent calls are repeated; null for not at all. Without its own <see cref="RetryPolicy.Handle"/> what is repeated failed with
    /// <see cref="RpcStatus.Unavailable"/> or <see cref="RpcStatus.Busy"/>.</summary>
    public RetryPolicy? Retry { get; init; }

    /// <summary>When idempotent calls that take long are sent a second time, elsewhere where possible, and the first answer counts; null for never.</summary>
    public Hedge? Hedge { get; init; }

    /// <summary>When a channel is taken for ill, and for how long. Without its own <see cref="CircuitBreakerOptions.Handle"/> failures with
    /// <see cref="RpcStatus.Unavailable"/> and <see cref="RpcStatus.Busy"/> count.</summary>
    public CircuitBreakerOptions Health { get; init; } = new() { FailureThreshold = 3, OpenTime = TimeSpan.FromSeconds(5), SuccessThreshold = 1 };

    /// <summary>Draws the channels.</summary>
    public Random Random { get; init; } = Random.Shared;

    /// <summary>The clock of pauses and of times that calls are given.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Checks the values, those of <see cref="Retry"/>, <see cref="Hedge"/> and <see cref="Health"/> included.</summary>
    /// <exception cref="ArgumentException">A value is out of range or contradicts another; the message names it.</exception>
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

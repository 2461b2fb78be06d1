using Postrider.Flow.Gates;

namespace Postrider.Rpc.Balancing;

/// <summary>How a <see cref="BalancedChannel"/> calls.</summary>
public sealed class BalancedOptions
{
    /// <summary>How idempotent calls are repeated; null for not at all. Without its own <see cref="RetryPolicy.Handle"/> what is repeated failed with
    /// <see cref="RpcStatus.Unavailable"/> or <see cref="RpcStatus.Busy"/>.</summary>
    public RetryPolicy? Retry { get; init; }

    /// <summary>When idempotent calls that take long are sent a second time, elsewhere where possible, and the first answer counts; null for never.</summary>
    public Hedge? Hedge { get; init; }

    /// <summary>When a channel is taken for ill, and for how long. Without its own <see cref="BreakerOptions.Handle"/> failures with
    /// <see cref="RpcStatus.Unavailable"/> and <see cref="RpcStatus.Busy"/> count.</summary>
    public BreakerOptions Health { get; init; } = new() { FailureThreshold = 3, OpenTime = TimeSpan.FromSeconds(5), SuccessThreshold = 1 };

    /// <summary>Draws the channels.</summary>
    public Random Random { get; init; } = Random.Shared;

    /// <summary>The clock of pauses and of times that calls are given.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}

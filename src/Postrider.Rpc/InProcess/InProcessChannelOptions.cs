namespace Postrider.Rpc;

/// <summary>Options of an <see cref="InProcessChannel"/>.</summary>
public sealed record InProcessChannelOptions
{
    /// <summary>The timeout of calls without a <see cref="CallContext.Timeout"/>; infinite for no timeout.</summary>
    public TimeSpan Timeout { get; init; } = System.Threading.Timeout.InfiniteTimeSpan;

    /// <summary>Whether callers receive the messages of exceptions that the contract does not declare.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}

namespace Postrider.Rpc;

/// <summary>How an <see cref="InProcessChannel"/> calls.</summary>
public sealed class InProcessChannelOptions
{
    /// <summary>How long a call may take whose <see cref="CallContext.Timeout"/> says nothing; infinite for no limit.</summary>
    public TimeSpan Timeout { get; init; } = System.Threading.Timeout.InfiniteTimeSpan;

    /// <summary>The caller sees the text of exceptions that the contract does not name.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}

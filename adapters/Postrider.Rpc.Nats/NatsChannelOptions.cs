namespace Postrider.Rpc.Nats;

/// <summary>How a <see cref="NatsChannel"/> calls.</summary>
public sealed class NatsChannelOptions
{
    /// <summary>How long a call may take whose <see cref="CallContext.Timeout"/> says nothing.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>After so long without a sign a stream's other end is taken for gone.</summary>
    public TimeSpan PeerSilence { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}

namespace Postrider.Rpc.Nats;

/// <summary>Options of a <see cref="NatsChannel"/>.</summary>
public sealed record NatsChannelOptions
{
    /// <summary>The timeout of calls without a <see cref="CallContext.Timeout"/>.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The time without any message after which the peer of a stream is considered lost.</summary>
    public TimeSpan PeerSilence { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}

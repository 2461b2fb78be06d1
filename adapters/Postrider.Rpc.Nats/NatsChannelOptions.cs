namespace Postrider.Rpc.Nats;

/// <summary>How a <see cref="NatsChannel"/> calls.</summary>
public sealed class NatsChannelOptions
{
    /// <summary>How long a call may take whose <see cref="CallContext.Timeout"/> says nothing.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);
}

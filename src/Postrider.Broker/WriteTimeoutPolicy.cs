namespace Postrider.Broker;

/// <summary>What happens to a connection whose other side takes too little before the write deadline passes.</summary>
/// <remarks>One that takes nothing at all until then is closed in any case. Source: nats-server, <c>write_timeout</c>.</remarks>
public enum WriteTimeoutPolicy
{
    /// <summary>As is usual for the kind of connection: <see cref="Retry"/> for routes and leaf nodes.</summary>
    Default,

    /// <summary>The connection is closed unless everything that waits when a write begins is taken in time.</summary>
    Close,

    /// <summary>The connection stays open as long as something is taken in time.</summary>
    Retry,
}

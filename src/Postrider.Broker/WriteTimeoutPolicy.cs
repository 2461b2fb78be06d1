namespace Postrider.Broker;

/// <summary>What happens to a connection whose other side reads too little before the write deadline passes.</summary>
/// <remarks>A connection whose other side reads nothing until then is closed in any case. Source: nats-server, <c>write_timeout</c>.</remarks>
public enum WriteTimeoutPolicy
{
    /// <summary>The usual policy for the kind of connection: <see cref="Retry"/> for routes and leaf nodes.</summary>
    Default,

    /// <summary>The connection is closed unless everything that is pending when a write begins is sent in time.</summary>
    Close,

    /// <summary>The connection stays open as long as something is sent in time.</summary>
    Retry,
}

namespace Postrider.Client;

/// <summary>The state of a client's connection.</summary>
public enum ConnectionState
{
    /// <summary>Connecting for the first time.</summary>
    Connecting,

    /// <summary>Connected.</summary>
    Connected,

    /// <summary>The connection was lost and the client is reconnecting; publishes are buffered.</summary>
    Reconnecting,

    /// <summary>Connected and draining.</summary>
    Draining,

    /// <summary>Closed.</summary>
    Closed,
}

namespace Postrider.Client;

/// <summary>Where a client stands.</summary>
public enum ConnectionState
{
    /// <summary>The first connection is being made.</summary>
    Connecting,

    /// <summary>Connected.</summary>
    Connected,

    /// <summary>The connection was lost and is being made anew; publishes are buffered.</summary>
    Reconnecting,

    /// <summary>Connected and draining.</summary>
    Draining,

    /// <summary>Closed for good.</summary>
    Closed,
}

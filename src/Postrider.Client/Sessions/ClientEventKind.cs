namespace Postrider.Client;

/// <summary>The kinds of <see cref="ClientEvent"/>.</summary>
public enum ClientEventKind
{
    /// <summary>Connected for the first time.</summary>
    Connected,

    /// <summary>The connection was lost.</summary>
    Disconnected,

    /// <summary>Reconnected; all subscriptions have been restored.</summary>
    Reconnected,

    /// <summary>An attempt to reconnect failed.</summary>
    ReconnectFailed,

    /// <summary>The server is shutting down (lame duck mode); the client moves to another server if it knows one.</summary>
    LameDuck,

    /// <summary>The cluster announced new servers.</summary>
    ServersDiscovered,

    /// <summary>The server denied a publish or a subscription.</summary>
    PermissionDenied,

    /// <summary>A subscription began to drop messages.</summary>
    SlowConsumer,

    /// <summary>The server sent another error.</summary>
    ServerError,

    /// <summary>A handler threw.</summary>
    HandlerFailed,

    /// <summary>The client is closed.</summary>
    Closed,
}

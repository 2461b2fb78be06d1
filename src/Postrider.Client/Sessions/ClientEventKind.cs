namespace Postrider.Client;

/// <summary>What a <see cref="ClientEvent"/> tells.</summary>
public enum ClientEventKind
{
    /// <summary>Connected for the first time.</summary>
    Connected,

    /// <summary>The connection was lost.</summary>
    Disconnected,

    /// <summary>Connected again; every subscription is in place.</summary>
    Reconnected,

    /// <summary>An attempt to connect again failed.</summary>
    ReconnectFailed,

    /// <summary>The server is about to stop; the client moves to another one if it knows any.</summary>
    LameDuck,

    /// <summary>The cluster told of servers.</summary>
    ServersDiscovered,

    /// <summary>The server refused a publish or a subscription.</summary>
    PermissionDenied,

    /// <summary>A subscription began to drop messages.</summary>
    SlowConsumer,

    /// <summary>The server sent another error.</summary>
    ServerError,

    /// <summary>A handler threw.</summary>
    HandlerFailed,

    /// <summary>The client is closed for good.</summary>
    Closed,
}

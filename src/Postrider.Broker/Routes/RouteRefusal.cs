namespace Postrider.Broker.Routes;

/// <summary>Why the broker does not reconnect to a server at once.</summary>
internal enum RouteRefusal
{
    /// <summary>It does reconnect.</summary>
    None,

    /// <summary>There is such a connection already.</summary>
    Duplicate,

    /// <summary>The address is the broker's own.</summary>
    Self,

    /// <summary>The servers' settings do not allow this connection.</summary>
    Impossible,
}

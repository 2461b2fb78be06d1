namespace Postrider.Broker.Routes;

/// <summary>Why the broker does not connect to a server again at once.</summary>
internal enum RouteRefusal
{
    /// <summary>It does.</summary>
    None,

    /// <summary>There is such a connection already.</summary>
    Duplicate,

    /// <summary>The address is the broker's own.</summary>
    Self,

    /// <summary>The servers cannot have this connection.</summary>
    Impossible,
}

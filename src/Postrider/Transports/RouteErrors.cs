namespace Postrider.Transports;

/// <summary>Failures of routes over transports that were added with a name.</summary>
internal static class RouteErrors
{
    /// <summary>Whether the transport's text lacks the route: the transport knows neither the message nor the name that it was added with.</summary>
    internal static bool LacksRoute(PostriderException failure, SendTarget target)
        => target.TransportName is not null && failure.Error is PostriderError.NoListener or PostriderError.Unavailable && failure is not RemoteException;

    /// <summary>Adds the route to the text of a failure.</summary>
    /// <param name="failure">The failure.</param>
    /// <param name="message">The message.</param>
    /// <param name="target">The target of the route.</param>
    internal static PostriderException WithRoute(PostriderException failure, Type message, SendTarget target)
        => new(failure.Error, $"{message} could not be sent to '{target.Destination}' over the transport '{target.TransportName}'. {failure.Message}", failure);
}

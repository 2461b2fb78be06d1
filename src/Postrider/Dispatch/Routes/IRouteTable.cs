namespace Postrider.Dispatch;

/// <summary>The routes of a container. Resolve it from the container.</summary>
public interface IRouteTable
{
    /// <summary>The routes, by the name of the message.</summary>
    IReadOnlyList<RouteDescription> Routes { get; }

    /// <summary>Explains where a message that is sent in this container goes, and where one that arrives through a binding goes.</summary>
    /// <param name="messageType">The type of the message.</param>
    /// <returns>One or two sentences for people; for diagnostics, not for hot paths.</returns>
    string Explain(Type messageType);

    /// <summary>Explains the same for a message that <see cref="Routes"/> or <see cref="IHandlerMap.Messages"/> lists.</summary>
    /// <param name="message">The name of the message in the list.</param>
    /// <returns>One or two sentences for people; for diagnostics, not for hot paths.</returns>
    /// <exception cref="ArgumentException">Neither lists it.</exception>
    string Explain(string message);
}

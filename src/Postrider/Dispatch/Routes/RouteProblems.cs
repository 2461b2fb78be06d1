using Postrider.Transports;

namespace Postrider.Dispatch.Routes;

/// <summary>Why a message has nowhere to go.</summary>
internal static class RouteProblems
{
    /// <summary>A message without a handler.</summary>
    /// <param name="modules">The names of the projects that were searched.</param>
    /// <param name="messageType">The type of the message.</param>
    public static PostriderException NoHandler(string modules, Type messageType) => new(
        PostriderError.NoHandler,
        $"No handler for {messageType}. Looked in {modules}: is the handler's project " +
        "among them, and does it reference the package Postrider? A generic handler must be closed for the message: " +
        "[assembly: UseHandler(typeof(MyHandler<Customer>))].");

    /// <summary>A binding for a message that is neither handled nor routed.</summary>
    /// <param name="modules">The names of the projects that were searched.</param>
    /// <param name="messageType">The type of the message.</param>
    /// <param name="bound">The binding.</param>
    public static PostriderException Unhandled(string modules, Type messageType, TransportBinding bound) => new(
        PostriderError.Configuration,
        $"{messageType} is bound to '{bound.Source}', but this container has neither a handler for it nor a route that passes it on: " +
        "reference the project that has the handler and call its AddPostrider, or remove the binding. " +
        $"Looked for handlers in {modules}.");

    /// <summary>A binding for a message that would be sent back to its source.</summary>
    /// <param name="modules">The names of the projects that were searched.</param>
    /// <param name="messageType">The type of the message.</param>
    /// <param name="route">The route.</param>
    /// <param name="bound">The binding.</param>
    public static PostriderException Circle(string modules, Type messageType, MessageRoute route, TransportBinding bound) => new(
        PostriderError.Configuration,
        $"{messageType} is bound to '{bound.Source}' and routed to '{route.Destination}' in the same container, which has no handler for it: " +
        "each message would be sent back to where it came from, endlessly. Reference the project that has the handler, or remove the route or the binding. " +
        $"Looked for handlers in {modules}.");
}

using Postrider.Transports;

namespace Postrider.Dispatch.Routes;

/// <summary>Where a message type is sent instead of being handled by the sender's container.</summary>
/// <param name="Kind">The kind of message as text: request, command, notification or stream.</param>
/// <param name="Transport">Finds the transport in the container.</param>
/// <param name="Target">The destination of the handler, and how to send.</param>
/// <param name="TransportName">The name passed to <c>AddPostriderTransport</c>; null for a transport of another origin.</param>
/// <param name="Response">The response that senders wait for, or the items of a stream; null for none.</param>
/// <param name="CreateSender">Creates a sender of the type's messages.</param>
/// <param name="Open">Opens the route once, to detect errors.</param>
/// <param name="Source">Where the route was declared: a method of the options, an attribute or a key of the configuration.</param>
internal sealed record MessageRoute(
    string Kind, Func<IServiceProvider, ITransport> Transport, SendTarget Target, string? TransportName, Type? Response, Func<IServiceProvider, RouteSender> CreateSender, Action<IServiceProvider> Open, string Source)
{
    internal const string Request = "request";
    internal const string Command = "command";
    internal const string Notification = "notification";
    internal const string Stream = "stream";

    internal string Destination => Target.Destination;

    /// <summary>Rejects settings that the transport does not support.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal void Check(ITransport transport, Type message)
    {
        if (Kind == Stream)
            AbilityCheck.StreamRoute(transport, Target, message);
        else
            AbilityCheck.Route(transport, Target, message, Response);
    }
}

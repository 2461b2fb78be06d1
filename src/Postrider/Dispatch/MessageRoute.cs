using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>Where a message type is sent instead of being handled by the sender's container.</summary>
/// <param name="Transport">Finds the transport in the container.</param>
/// <param name="Target">The destination of the handler, and how to send.</param>
/// <param name="TransportName">The name that <c>AddPostriderTransport</c> was given; null for a transport of another origin.</param>
/// <param name="Response">The response that senders wait for; null for none.</param>
/// <param name="CreateSender">Creates a sender of the type's messages.</param>
internal sealed record MessageRoute(
    Func<IServiceProvider, ITransport> Transport, SendTarget Target, string? TransportName, Type? Response, Func<IServiceProvider, RouteSender> CreateSender)
{
    internal string Destination => Target.Destination;
}

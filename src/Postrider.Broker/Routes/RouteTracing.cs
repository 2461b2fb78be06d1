using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>Publishes messages of routes whose headers ask for a trace.</summary>
internal static class RouteTracing
{
    /// <summary>Publishes the message and its trace.</summary>
    /// <param name="link">The account's part of the route that received it.</param>
    /// <param name="account">The account.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="replyTo">The reply subject without the subject to show.</param>
    /// <param name="shown">The subject to show, or empty.</param>
    /// <param name="batch">The batch of the read.</param>
    /// <returns>False when it is an ordinary message; nothing was done with it in this case.</returns>
    public static bool TryPublish(RouteLink link, Account account, scoped in PeerFrame frame, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> shown, SendBatch batch)
    {
        if (TraceRequest.Read(frame.Headers) is not { } request) return false;
        var context = link.Session.Context.Sessions;
        var decision = MessageTracing.Begin(
            context, account, link.Traced, request, frame.Subject, frame.Headers.Length + frame.Payload.Length, batch.Random, out var trace);
        if (decision == TraceDecision.Ignore) return false;
        batch.CountCall();
        if (decision == TraceDecision.Drop) return true;
        if (trace is not null && IsReserved(trace.Destination, account))
        {
            RouteLog.Problem(context.Logger, link.Session.Name, $"Publish Violation - Subject {GoQuote.Quote(Subject.ToText(trace.Destination))}");
            return true;
        }
        var headers = trace is null ? TraceRequest.Disable(frame.Headers) : frame.Headers;
        var message = new CrossAccountMessage(frame.Subject, shown, replyTo, headers, frame.Payload, trace);
        TracedRouter.Publish(account.Subscriptions, in message, TraceOrigin.Peer(link, frame.QueueGroups, anyGroup: false), link, batch);
        MessageTracing.Send(context, account, trace, batch);
        return true;
    }

    // Subjects of nats-server's clusters and gateways.
    private static bool IsReserved(ReadOnlySpan<byte> destination, Account account)
        => destination.StartsWith("_GR_."u8) || (destination.StartsWith("$NRG."u8) && !account.IsSystem);
}

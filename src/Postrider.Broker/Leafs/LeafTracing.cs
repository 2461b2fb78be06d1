using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>Publishes messages of leaf node connections whose headers ask for a trace.</summary>
internal static class LeafTracing
{
    /// <summary>Publishes the message and its trace.</summary>
    /// <param name="session">The connection that it came over.</param>
    /// <param name="frame">The frame, which the connection may send.</param>
    /// <param name="replyTo">The reply subject without the subject to show.</param>
    /// <param name="shown">The subject to show, or nothing.</param>
    /// <param name="batch">The batch of the read.</param>
    /// <returns>False when it is an ordinary message after all; nothing was done with it then.</returns>
    public static bool TryPublish(LeafSession session, scoped in PeerFrame frame, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> shown, SendBatch batch)
    {
        if (TraceRequest.Read(frame.Headers) is not { } request) return false;
        var (context, account) = (session.Context.Sessions, session.Account);
        var decision = MessageTracing.Begin(
            context, account, session.Traced, request, frame.Subject, frame.Headers.Length + frame.Payload.Length, batch.Random, out var trace);
        if (decision == TraceDecision.Ignore) return false;
        batch.CountCall();
        if (decision == TraceDecision.Drop) return true;
        if (trace is not null && !session.MayReceive(trace.Destination))
        {
            session.Send(System.Text.Encoding.UTF8.GetBytes($"-ERR 'Permissions Violation for Publish to {GoQuote.Quote(Subject.ToText(trace.Destination))}'\r\n"));
            return true;
        }
        var subject = frame.Subject;
        var anyGroup = false;
        if (account.Mappings?.Map(subject, batch.Random) is { } mapped)
        {
            trace?.AddMapping(mapped);
            subject = mapped;
            anyGroup = frame.QueueGroups.IsEmpty;
        }
        if (!subject.IsEmpty)
        {
            var headers = trace is null ? TraceRequest.Disable(frame.Headers) : frame.Headers;
            var message = new CrossAccountMessage(subject, shown, replyTo, headers, frame.Payload, trace);
            TracedRouter.Publish(account.Subscriptions, in message, TraceOrigin.Peer(session, frame.QueueGroups, anyGroup), session, batch);
        }
        MessageTracing.Send(context, account, trace, batch);
        return true;
    }
}

using Postrider.Broker.Peers;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>Publishes messages of leaf node connections.</summary>
internal static class LeafPublish
{
    /// <summary>Publishes a message that the connection may send, under its subject after the account's mappings.</summary>
    /// <param name="session">The connection that received it.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="batch">The batch of the read.</param>
    public static void Publish(LeafSession session, scoped in PeerFrame frame, SendBatch batch)
    {
        if (frame.Kind == PeerFrameKind.MessageWithHeaders && !session.TakesHeaders)
        {
            PeerSessions.Reject(session, FrameError.HeadersNotSupported, "message headers not supported", batch);
            return;
        }
        PeerSessions.Trace(session.Context.Sessions, session, in frame);
        var account = session.Account;
        var subject = frame.Subject;
        var replyTo = frame.ReplyTo;
        ReadOnlySpan<byte> shown = [];
        LeafReply.Split(ref replyTo, ref shown);
        if (frame.Kind == PeerFrameKind.MessageWithHeaders && TraceRequest.MayBeIn(frame.Headers, account.TracesParents)
            && TryPublishTraced(session, in frame, replyTo, shown, batch)) return;
        var anyGroup = false;
        if (account.Mappings?.Map(subject, batch.Random) is { } mapped)
        {
            if (mapped.Length == 0) return;
            subject = mapped;
            anyGroup = frame.QueueGroups.IsEmpty;
        }
        PeerRouter.Publish(
            account.Subscriptions, new CrossAccountMessage(subject, shown, replyTo, frame.Headers, frame.Payload), frame.QueueGroups, anyGroup, session, session, batch);
    }

    // False for an ordinary message; nothing was done with it in this case.
    private static bool TryPublishTraced(LeafSession session, scoped in PeerFrame frame, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> shown, SendBatch batch)
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
            if (trace is not null) account.SystemImports?.TryNote(trace, subject);
            TracedRouter.Publish(account.Subscriptions, in message, TraceOrigin.Peer(session, frame.QueueGroups, anyGroup), session, batch);
        }
        MessageTracing.Send(context, account, trace, batch);
        return true;
    }
}

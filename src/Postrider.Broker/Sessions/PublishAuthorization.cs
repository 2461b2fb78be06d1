using System.Runtime.CompilerServices;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>The checks before and after publishes that are not on the fast path.</summary>
internal static class PublishAuthorization
{
    /// <summary>Checks a publish; replies with the error, or with +OK in verbose mode.</summary>
    /// <returns>Whether to route the message.</returns>
    public static bool Allow(ClientSession session, scoped in Frame frame, SendBatch batch) => Allow(session, frame.Subject, frame.ReplyTo, trace: null, batch);

    /// <summary>Checks a publish; replies with the error, or with +OK in verbose mode.</summary>
    /// <param name="session">The publisher.</param>
    /// <param name="subject">The subject.</param>
    /// <param name="replyTo">The reply subject, or empty.</param>
    /// <param name="trace">The trace to add the error to; null for messages that are not traced.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether to route the message.</returns>
    public static bool Allow(ClientSession session, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, MessageTrace? trace, SendBatch batch)
    {
        var state = session.State;
        if (state is { PublishPermissionCache: not null, Account.DomainApi: { } api } && subject.StartsWith(api) && DefaultDomain.MapHere(subject[api.Length..]) is { } mapped)
            subject = mapped;
        if (state.Pedantic && !Subject.IsLiteral(subject)) session.ReplyError("Invalid Publish Subject", batch);
        if (IsReserved(subject) || (state.PublishPermissionCache?.Allows(subject) == false && state.ReplyPermissions?.TryUse(subject) != true))
        {
            Reject(session, $"Permissions Violation for Publish to {GoQuote.Quote(Subject.ToText(subject))}", trace, batch);
            return false;
        }
        if (IsReservedReply(replyTo))
        {
            Reject(session, $"Permissions Violation for Publish with Reply of {GoQuote.Quote(Subject.ToText(replyTo))}", trace, batch);
            return false;
        }
        if (state.Verbose) session.Reply("+OK\r\n"u8, batch);
        return true;
    }

    /// <summary>Responds to a publish that a mapping drops as if its subject had no interest.</summary>
    public static void Lose(ClientSession session, scoped in Frame frame, SendBatch batch) => Lose(session, frame.ReplyTo, trace: null, batch);

    /// <summary>Responds to a publish that a mapping drops as if its subject had no interest.</summary>
    public static void Lose(ClientSession session, ReadOnlySpan<byte> replyTo, MessageTrace? trace, SendBatch batch)
    {
        if (IsReservedReply(replyTo))
        {
            Reject(session, $"Permissions Violation for Publish with Reply of {GoQuote.Quote(Subject.ToText(replyTo))}", trace, batch);
            return;
        }
        batch.CountCall();
        if (session.State.Verbose) session.Reply("+OK\r\n"u8, batch);
        if (session.State.NoResponders && !replyTo.IsEmpty) ReplyNoResponders(session, [], replyTo, batch);
    }

    /// <summary>Checks whether the client may publish to its trace destination; replies with the error.</summary>
    /// <remarks>Permission to respond to a reply subject does not count.</remarks>
    public static bool AllowTraces(ClientSession session, ReadOnlySpan<byte> destination, SendBatch batch)
    {
        if (!IsReserved(destination) && session.State.PublishPermissionCache?.Allows(destination) != false) return true;
        Reject(session, $"Permissions Violation for Publish to {GoQuote.Quote(Subject.ToText(destination))}", trace: null, batch);
        return false;
    }

    /// <summary>Whether a subject begins like those that no client may use: a cheap first check.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool MayBeReserved(ReadOnlySpan<byte> subject)
        => subject.Length > 1 && (subject[0] == '$' || (subject[0] == '_' && subject[1] is (byte)'G' or (byte)'R'));

    /// <summary>Sends 503 No Responders to the requester, unless the
    /// subject is exempt.</summary>
    public static void ReplyNoResponders(ClientSession session, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, SendBatch batch)
    {
        if (session.State.Account.NoRespondersExemption?.Suppresses(subject) != true) ReplyNobody(session, subject, replyTo, batch);
    }

    /// <summary>Sends 503 No Responders to the requester, also for exempt subjects.</summary>
    public static void ReplyNobody(ClientSession session, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, SendBatch batch)
    {
        var matched = Router.CacheOf(batch).Find(session.State.Account.Subscriptions, replyTo).Plain;
        batch.Count(matched.Count);
        for (var i = 0; i < matched.Count; i++)
        {
            if (!ReferenceEquals(matched.Items[i].Owner, session)) continue;
            ReplyNobody(matched.Items[i], subject, replyTo, batch);
            return;
        }
    }

    private static void ReplyNobody(Subscription requester, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, SendBatch batch)
    {
        using var headers = new NoRespondersHeaders(subject, stackalloc byte[NoRespondersHeaders.UsualBytes]);
        requester.Write(replyTo, [], headers.Bytes, [], batch);
    }

    // Subjects of nats-server's cluster: clients may not publish to them.
    private static bool IsReserved(ReadOnlySpan<byte> subject)
        => subject.StartsWith("_GR_."u8) || subject.StartsWith("$GR."u8) || subject.StartsWith("$NRG."u8);

    // A reply to one of these would be an acknowledgement, or a message of nats-server's cluster.
    private static bool IsReservedReply(ReadOnlySpan<byte> replyTo)
        => replyTo.StartsWith("_R_."u8) || replyTo.StartsWith("$JS.ACK."u8) || replyTo.StartsWith("_GR_."u8) || replyTo.StartsWith("$GR."u8);

    private static void Reject(ClientSession session, string error, MessageTrace? trace, SendBatch batch)
    {
        batch.CountCall();
        trace?.Refuse(error);
        session.ReplyError(error, batch);
        SessionLog.RepeatableProblem(session, error);
    }
}

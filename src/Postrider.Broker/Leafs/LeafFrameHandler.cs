using Postrider.Broker.Accounts;
using Postrider.Broker.Peers;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>Handles all frames of a leaf node connection except messages.</summary>
/// <remarks>Responses, their texts and delays are nats-server's. Source: nats-server, leaf node protocol.</remarks>
internal static class LeafFrameHandler
{
    // After a loop, a permissions violation or an invalid cluster name.
    private static readonly TimeSpan LongDelay = TimeSpan.FromSeconds(30);
    // Upper limit of the random delay that is added after a loop, so that servers which closed their connections at the same time do not
    // reconnect at the same time.
    private static readonly TimeSpan LoopDelaySpread = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan MinVersionDelay = TimeSpan.FromSeconds(5);

    /// <summary>Handles a frame.</summary>
    public static void Handle(LeafSession session, scoped in PeerFrame frame, SendBatch batch)
    {
        batch.CountCall();
        PeerSessions.Trace(session.Context.Sessions, session, in frame);
        switch (frame.Kind)
        {
            case PeerFrameKind.Ping:
                session.Send("PONG\r\n"u8);
                break;
            case PeerFrameKind.Pong:
                session.PongReceived();
                break;
            case PeerFrameKind.Info:
                if (session.Remote is not null) LeafSolicit.TakeInfo(session, frame.Text, batch);
                else LeafCompression.TakePeerInfo(session, frame.Text, batch);
                break;
            case PeerFrameKind.Connect:
                Connect(session, frame.Text, batch);
                break;
            case PeerFrameKind.Error:
                TakeError(session, Subject.ToText(frame.Text).Trim('\''), batch);
                break;
            case PeerFrameKind.Ok:
                break;
            default:
                // Connections that are not authenticated may not send this.
                if (!session.IsConnected) Refuse(session, "Authorization Violation", batch);
                else Change(session, in frame, batch);
                break;
        }
    }

    /// <summary>Rejects a message that its sender may not send: the hub ends the connection, a leaf node drops the message.</summary>
    public static void RejectMessage(LeafSession session, ReadOnlySpan<byte> subject, SendBatch batch)
    {
        var text = $"Permissions Violation for Publish to {GoQuote.Quote(Subject.ToText(subject))}";
        if (session.IsSpoke) LeafLog.Detail(session.Context.Logger, session.Name, text);
        else session.EndAndWait(LongDelay, ClosedState.ProtocolViolation, text, batch);
    }

    private static void Connect(LeafSession session, ReadOnlySpan<byte> text, SendBatch batch)
    {
        if (session.Remote is not null || session.ConnectInfo is not null)
        {
            session.End(ClosedState.ProtocolViolation, "Protocol Violation: CONNECT is not expected", batch);
            return;
        }
        if (LeafContext.ParseConnect(text) is not { } connect)
        {
            session.End(ClosedState.ProtocolViolation, "Protocol Violation: CONNECT is not valid JSON", batch);
            return;
        }
        if (Problem(session.Context, connect) is { } problem)
        {
            session.End(ClosedState.ProtocolViolation, problem, batch);
            return;
        }
        if (session.Context.Sessions.Throttle.TryBegin(LeafAuthenticator.AddressOf(session), out var delay))
            session.RunOffLoop(() => FindAsync(session, connect, delay), (user, later) => Accept(session, connect, user, later), batch);
        else
            Accept(session, connect, null, batch);
    }

    private static async ValueTask<User?> FindAsync(LeafSession session, LeafConnectInfo connect, TimeSpan delay)
    {
        await session.Context.Sessions.Throttle.WaitAsync(LeafAuthenticator.AddressOf(session), delay).ConfigureAwait(false);
        return await LeafAuthenticator.FindAsync(session, connect).ConfigureAwait(false);
    }

    private static string? Problem(LeafContext context, LeafConnectInfo connect)
    {
        if (!string.IsNullOrEmpty(connect.Language)) return "attempted to connect to leaf node port";
        if (connect.Cluster?.Contains(' ', StringComparison.Ordinal) == true) return "cluster name cannot contain spaces or new lines";
        if (!string.IsNullOrEmpty(connect.Cluster) && connect.Cluster == context.ClusterName) return "remote leafnode has same cluster name";
        if (!string.IsNullOrEmpty(connect.Gateway)) return $"Rejecting connection from gateway {GoQuote.Quote(connect.Gateway)} on the leafnode port";
        return null;
    }

    private static void Accept(LeafSession session, LeafConnectInfo connect, User? user, SendBatch batch)
    {
        if (user is null)
        {
            session.Context.Sessions.Throttle.Failed(LeafAuthenticator.AddressOf(session));
            session.Context.Sessions.Events?.AuthenticationFailed(session.Account, ClosedState.AuthenticationViolation, () => LeafInfoMapper.ReadRejected(session, connect));
            Refuse(session, "Authorization Violation", batch);
            return;
        }
        session.Accept(connect, user);
        var context = session.Context;
        if (context.Options.MinVersion is { Length: > 0 } lowest && LeafNodeOptionsValidator.ParseVersion(connect.Version) is var version && (version is null || version < LeafNodeOptionsValidator.ParseVersion(lowest)))
        {
            // The other server handles the error only once it is connected.
            session.Send(context.RenderInfo(session, account: true));
            session.End(ClosedState.ProtocolViolation, $"connection rejected since minimum version required is {GoQuote.Quote(lowest)}", batch);
            return;
        }
        session.Send(context.RenderInfo(session, account: true));
        session.TryRegister(batch);
    }

    private static void Change(LeafSession session, scoped in PeerFrame frame, SendBatch batch)
    {
        using var change = InterestBatch.Enter(batch);
        if (frame.Kind == PeerFrameKind.Subscribe) Subscribe(session, in frame, batch);
        else Unsubscribe(session, in frame);
    }

    private static void Subscribe(LeafSession session, scoped in PeerFrame frame, SendBatch batch)
    {
        var subject = frame.Subject;
        var account = session.Account;
        var interest = account.Interest;
        if (subject.SequenceEqual(interest.LoopSubject))
        {
            if (session.Context.Registry.FindLaterFromHub(session) is { } later) EndLoop(later, null);
            else EndLoop(session, batch);
            return;
        }
        if (PeerInterest.IsLoopSubject(subject) && session.Context.Registry.IsKnownFromOtherSide(session, subject))
        {
            EndLoop(session, batch);
            return;
        }
        if (!session.Crossing.MaySendInterest(subject))
        {
            // A subject that only this broker's own JetStream rules reject is not an error of the other side.
            if (!session.IsSpoke && !session.Crossing.IsAllowedToUser(subject))
                session.EndAndWait(LongDelay, ClosedState.ProtocolViolation, $"Permissions Violation for Subscription to {GoQuote.Quote(Subject.ToText(subject))}", batch);
            return;
        }
        if (session.Subscriptions.Find(subject, frame.QueueGroup) is { } known)
        {
            if (known.QueueGroup.Length == 0) return;
            interest.ChangeWeight(known, frame.Weight);
            session.Imported.ChangeWeight(known, frame.Weight);
            return;
        }
        if (session.MaxSubscriptions >= 0 && session.Subscriptions.Count >= session.MaxSubscriptions)
        {
            session.End(ClosedState.MaxSubscriptionsExceeded, "maximum subscriptions exceeded", batch);
            return;
        }
        var subscription = new PeerSubscription(session, subject, frame.QueueGroup) { Weight = frame.Weight };
        session.Subscriptions.Add(subscription);
        if (!account.Subscriptions.Add(subject, frame.QueueGroup, subscription))
        {
            session.Subscriptions.Remove(subscription);
            session.Send("-ERR 'Invalid Subscription'\r\n"u8);
            return;
        }
        session.Imported.Update(subscription, account);
        // The session may have ended on another thread before its table contained the subscription.
        Interlocked.MemoryBarrier();
        if (!session.HasEnded) return;
        session.Subscriptions.Remove(subscription);
        subscription.Leave(account.Subscriptions);
        session.Imported.Remove(subscription);
    }

    private static void Unsubscribe(LeafSession session, scoped in PeerFrame frame)
    {
        if (session.Subscriptions.Find(frame.Subject, frame.QueueGroup) is not { } subscription) return;
        session.Subscriptions.Remove(subscription);
        subscription.Leave(session.Account.Subscriptions);
        session.Imported.Remove(subscription);
        session.Account.InterestLost(subscription.SubjectBytes);
    }

    private static void TakeError(LeafSession session, string text, SendBatch batch)
    {
        LeafLog.PeerError(session.Context.Logger, session.Name, text);
        if (text.Contains("remote leafnode has same cluster name", StringComparison.Ordinal)) session.Remote?.DelayNext(LongDelay);
        else if (text.Contains("connection rejected since minimum version required is", StringComparison.Ordinal)) session.Remote?.DelayNext(MinVersionDelay);
        else if (text.Contains("Permissions Violation", StringComparison.Ordinal)) session.Remote?.DelayNext(LongDelay);
        else if (text.Contains("Loop detected", StringComparison.Ordinal)) session.EndAndWait(LoopDelay(), ClosedState.ProtocolViolation, null, batch);
    }

    private static void EndLoop(LeafSession session, SendBatch? batch) => session.EndAndWait(LoopDelay(), ClosedState.ProtocolViolation, LoopText(session), batch);

    private static TimeSpan LoopDelay() => LongDelay + (Random.Shared.NextDouble() * LoopDelaySpread);

    private static string LoopText(LeafSession session)
        => $"Loop detected for leafnode account={GoQuote.Quote(session.AccountName)}. Delaying attempt to reconnect for {GoDuration.Format(LongDelay)}";

    private static void Refuse(LeafSession session, string error, SendBatch batch) => session.End(ClosedState.AuthenticationViolation, error, batch);
}

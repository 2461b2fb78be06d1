using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Handles all frames of clients except publishes.</summary>
/// <remarks>Responses and their order are nats-server's, because clients depend on them. Source: NATS client protocol, nats-server.</remarks>
internal static class ControlFrameHandler
{
    /// <summary>Handles a frame.</summary>
    public static void Handle(ClientSession session, scoped in Frame frame, SendBatch batch)
    {
        if (session.Context.Trace is { } trace) trace.In(session.Name, frame.Bytes);
        batch.CountCall();
        switch (frame.Kind)
        {
            case FrameKind.Ping:
                Ping(session, batch);
                break;
            case FrameKind.Pong:
                session.PongReceived();
                break;
            case FrameKind.Subscribe:
                using (InterestBatch.Enter(batch)) Subscribe(session, in frame, batch);
                break;
            case FrameKind.Unsubscribe:
                using (InterestBatch.Enter(batch)) Unsubscribe(session, in frame, batch);
                break;
            case FrameKind.Connect:
                Connect(session, frame.Text, batch);
                break;
            case FrameKind.Error:
                session.EndInBatch(ClosedState.ParseError, null, batch);
                break;
        }
    }

    /// <summary>Ends a session that received an invalid frame.</summary>
    /// <param name="session">The session.</param>
    /// <param name="error">The error.</param>
    /// <param name="bytes">The received bytes, from the beginning of the frame.</param>
    /// <param name="batch">The client's batch.</param>
    public static void Reject(ClientSession session, FrameError error, ReadOnlySpan<byte> bytes, SendBatch batch)
    {
        if (error == FrameError.PayloadTooLarge) session.Context.Tracer?.TraceOversized(session, bytes, batch);
        var (end, text) = error switch
        {
            FrameError.LineTooLong => (ClosedState.MaxControlLineExceeded, "maximum control line exceeded"),
            FrameError.PayloadTooLarge => (ClosedState.MaxPayloadExceeded, "Maximum Payload Violation"),
            FrameError.UnknownOperation => (ClosedState.ProtocolViolation, "Unknown Protocol Operation"),
            _ => (ClosedState.ProtocolViolation, null),
        };
        SessionLog.Problem(session.Context.Logger, session.Name, text ?? $"protocol violation: {error}");
        session.EndInBatch(end, text, batch);
    }

    /// <summary>Names the rejected user, as nats-server does; empty when there is none.</summary>
    public static string Describe(ConnectInfo connect)
    {
        if (!string.IsNullOrEmpty(connect.Nkey)) return $" - Nkey {GoQuote.Quote(connect.Nkey)}";
        return string.IsNullOrEmpty(connect.User) ? "" : $" - User {GoQuote.Quote(connect.User)}";
    }

    /// <summary>Accepts a client as a user, or ends its session.</summary>
    /// <param name="session">The session.</param>
    /// <param name="connect">Its CONNECT.</param>
    /// <param name="user">The user; null when authentication failed.</param>
    /// <param name="authenticator">The authenticator that decided.</param>
    /// <param name="batch">The batch of the frame.</param>
    public static void Accept(ClientSession session, ConnectInfo connect, User? user, Authenticator authenticator, SendBatch batch)
    {
        if (user is null || connect.NewAccount || !string.IsNullOrEmpty(connect.Account))
        {
            session.Context.Throttle.Failed(session.Address);
            session.State.Refuse(connect);
            session.Context.Events?.AuthenticationFailed(session.State.Account, ClosedState.AuthenticationViolation, () => SessionInfoMapper.ReadForEvent(session));
            SessionLog.Problem(session.Context.Logger, session.Name, "authentication error" + Describe(connect));
            session.EndInBatch(ClosedState.AuthenticationViolation, "Authorization Violation", batch);
            return;
        }
        if (!session.TryAuthenticate(user, batch)) return;
        session.State.Accept(connect, session.Context.SupportsHeaders, session.Context.Trace is not null);
        session.ConnectAccepted();
        session.Context.Events?.Connected(session.State.Account, () => SessionInfoMapper.ReadForEvent(session));
        // A reload either comes after this and finds the user, or came before and is found here.
        Interlocked.MemoryBarrier();
        if (!ReferenceEquals(authenticator, session.Authenticator)) SessionReload.Apply(session, authenticator);
        if (connect.Protocol is < 0 or > 1)
            session.EndInBatch(ClosedState.BadClientProtocolVersion, "invalid client protocol", batch);
        else if (connect.NoResponders && !session.State.Headers)
            session.EndInBatch(ClosedState.NoRespondersRequiresHeaders, "no responders requires headers support", batch);
        else if (connect.Verbose)
            session.Reply("+OK\r\n"u8, batch);
    }

    private static void Ping(ClientSession session, SendBatch batch)
    {
        var state = session.State;
        if (state.UnsubscribedSincePing)
        {
            // After the PONG no message may be delivered to subscriptions that ended before the PING.
            state.UnsubscribedSincePing = false;
            batch.Fence();
        }
        session.Reply("PONG\r\n"u8, batch);
        if (!state.ConnectReceived || state.FirstPongSent) return;
        state.FirstPongSent = true;
        if (state.Connect is { Protocol: >= 1 })
            session.Reply(session.RenderInfo(state.Account), batch);
    }

    private static void Connect(ClientSession session, ReadOnlySpan<byte> text, SendBatch batch)
    {
        // The user that a callout named must not be taken for one that the client named.
        var earlier = session.State is { ConnectReceived: true, User: not { IsFromCallout: true } } ? session.State.Connect : null;
        // Takes as long as a hundred subscriptions, and a client may send it again and again.
        batch.LookAtClock();
        if (ConnectParser.Parse(text, earlier) is not { } connect)
        {
            session.EndInBatch(ClosedState.ProtocolViolation, null, batch);
            return;
        }
        if (session.WebSocket is { } webSocket) connect = webSocket.AddCookies(connect);
        if (session.State.ConnectReceived)
            InterestBatch.Remove(session.Subscriptions.Clear(forGood: false), session.Context.Batches, session.Detach);
        var authenticator = session.Authenticator;
        var request = session.CreateAuthenticationRequest(connect);
        if (!session.Context.Throttle.TryBegin(session.Address, out var delay))
            Accept(session, connect, null, authenticator, batch);
        else if (session.Context.Tokens is { } tokens)
            TokenConnect.Begin(session, connect, tokens, authenticator, delay, batch);
        else if (authenticator.Callout is { } callout && authenticator.IsRequired)
            CalloutConnect.Begin(session, connect, authenticator, callout, delay, batch);
        else if (delay > TimeSpan.Zero || authenticator.UsesPasswordHash(connect))
            session.RunOffLoop(() => FindAsync(session, authenticator, request, delay), (user, later) => Accept(session, connect, user, authenticator, later), batch);
        else
            Accept(session, connect, authenticator.Find(request), authenticator, batch);
    }

    private static async ValueTask<User?> FindAsync(ClientSession session, Authenticator authenticator, AuthenticationRequest request, TimeSpan delay)
    {
        await session.Context.Throttle.WaitAsync(session.Address, delay).ConfigureAwait(false);
        return authenticator.Find(request);
    }

    private static void Subscribe(ClientSession session, scoped in Frame frame, SendBatch batch)
    {
        // A client that has closed its end receives nothing, but may have left megabytes of SUBs to read, on many connections.
        if (session.Connection.HasPeerHungUp && session.Subscriptions.Count >= SessionCleanup.RemovedAtOnce) return;
        var state = session.State;
        var subject = frame.Subject;
        var queueGroup = frame.QueueGroup;
        var rules = state.User?.Permissions?.Subscribe;
        if (rules?.AllowsSubscribe(subject, queueGroup) == false || queueGroup.SequenceEqual("_sys_"u8))
        {
            RejectSubscription(session, subject, queueGroup, batch);
            return;
        }
        var options = session.Context.Options;
        if (options.MaxSubjectTokens > 0 && Subject.CountTokens(subject) > options.MaxSubjectTokens)
        {
            session.ReplyError($"Permissions Violation for Subscription to {GoQuote.Quote(Subject.ToText(subject))}, too many tokens", batch);
            return;
        }
        if (state.MaxSubscriptions >= 0 && session.Subscriptions.Count >= state.MaxSubscriptions)
        {
            session.ReplyError("maximum subscriptions exceeded", batch);
            return;
        }
        var subscription = new Subscription(session, session.Connection.Outbox, subject, queueGroup, frame.Sid) { Conditions = ConditionsOf(state, rules, subject) };
        // A sid that is in use keeps its subscription; the client gets no error, as in nats-server.
        if (session.Subscriptions.TryAdd(subscription))
        {
            if (!state.Account.Subscriptions.Add(subject, queueGroup, subscription))
            {
                session.Subscriptions.Remove(subscription);
                session.ReplyError("Invalid Subject", batch);
                return;
            }
            if (state.Account.Imports is { Streams.Length: > 0 }) session.Import(subscription);
            // The session may have ended on another thread before the account contained the subscription.
            if ((subscription.Conditions & DeliveryConditions.Closed) != 0) session.Detach(subscription);
            // A reload may have missed it: what has just become denied must not stay until the client's next frame.
            session.ApplyReload();
        }
        if (state.Verbose) session.Reply("+OK\r\n"u8, batch);
        if (session.Context.Cleanup.IsBehind(state.Account, session.UserName) && session.Subscriptions.Count > SessionCleanup.RemovedAtOnce) batch.RequestYield();
    }

    private static DeliveryConditions ConditionsOf(SessionState state, SubjectPermissionSet? rules, ReadOnlySpan<byte> subject)
        => (state.Echo ? DeliveryConditions.None : DeliveryConditions.NoEcho)
            | (state.Headers ? DeliveryConditions.None : DeliveryConditions.NoHeaders)
            | (state.ReplyPermissions is null ? DeliveryConditions.None : DeliveryConditions.TracksReplies)
            | (rules is { HasDenied: true } && rules.DeniesSomeOf(subject) ? DeliveryConditions.HasDeniedSubjects : DeliveryConditions.None);

    private static void RejectSubscription(ClientSession session, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, SendBatch batch)
    {
        var quoted = GoQuote.Quote(Subject.ToText(subject));
        var group = queueGroup.IsEmpty ? "" : $" using queue {GoQuote.Quote(Subject.ToText(queueGroup))}";
        session.ReplyError($"Permissions Violation for Subscription to {quoted}{group}", batch);
        SessionLog.RepeatableProblem(session, $"Subscription Violation - Subject {quoted}{group}");
    }

    private static void Unsubscribe(ClientSession session, scoped in Frame frame, SendBatch batch)
    {
        if (session.Subscriptions.Find(frame.Sid) is { } subscription)
        {
            if (frame.MaxMessages > 0 && frame.MaxMessages > subscription.Delivered)
            {
                subscription.Limit(frame.MaxMessages);
            }
            else if (session.Subscriptions.Remove(subscription))
            {
                session.Detach(subscription);
                session.State.UnsubscribedSincePing = true;
            }
        }
        if (session.State.Verbose) session.Reply("+OK\r\n"u8, batch);
    }
}

using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Peers;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>Handles all frames of a route except messages.</summary>
/// <remarks>Responses and their texts are nats-server's. Source: nats-server, route protocol.</remarks>
internal static class RouteFrameHandler
{
    /// <summary>Handles a frame.</summary>
    public static void Handle(RouteSession session, scoped in PeerFrame frame, SendBatch batch)
    {
        batch.CountCall();
        PeerSessions.Trace(session.Context.Sessions, session, in frame);
        switch (frame.Kind)
        {
            case PeerFrameKind.Connect:
                Connect(session, frame.Text, batch);
                break;
            case PeerFrameKind.Error:
                RouteLog.PeerError(session.Context.Logger, session.Name, Subject.ToText(frame.Text).Trim('\''));
                break;
            // An accepted connection must send CONNECT first.
            case var _ when session.Target is null && session.ConnectInfo is null:
                session.End(ClosedState.AuthenticationViolation, "Authorization Violation", batch);
                break;
            case PeerFrameKind.Ping:
                session.Send("PONG\r\n"u8);
                break;
            case PeerFrameKind.Pong:
                session.PongReceived();
                break;
            case PeerFrameKind.Info:
                TakeInfo(session, frame.Text, batch);
                break;
            case PeerFrameKind.Ok or PeerFrameKind.Account:
                break;
            case var _ when !session.IsRegistered:
                session.End(ClosedState.ProtocolViolation, "Protocol Violation: INFO is expected first", batch);
                break;
            case PeerFrameKind.Subscribe:
                using (InterestBatch.Enter(batch)) Subscribe(session, in frame, batch);
                break;
            case PeerFrameKind.Unsubscribe:
                using (InterestBatch.Enter(batch)) session.Unsubscribe(AccountOf(session, in frame), in frame);
                break;
            default:
                session.End(ClosedState.ProtocolViolation, "Protocol Violation: INFO is expected first", batch);
                break;
        }
    }

    private static string AccountOf(RouteSession session, scoped in PeerFrame frame) => session.PinnedAccount ?? Subject.ToText(frame.Account);

    private static void Subscribe(RouteSession session, scoped in PeerFrame frame, SendBatch batch)
    {
        if (!session.Context.Permissions.AllowsExport(frame.Subject))
        {
            RouteLog.Detail(session.Context.Logger, session.Name, $"Can not export {GoQuote.Quote(Subject.ToText(frame.Subject))}, ignoring remote subscription request");
            return;
        }
        if (session.LinkForInterest(AccountOf(session, in frame)) is not { } link) return;
        var max = session.Context.Sessions.Options.MaxSubscriptions;
        if (max > 0 && link.Subscriptions.Count >= max) session.End(ClosedState.MaxSubscriptionsExceeded, "maximum subscriptions exceeded", batch);
        else if (!link.Subscribe(frame.Subject, frame.QueueGroup, frame.Weight, frame.Origin)) session.Send("-ERR 'Invalid Subscription'\r\n"u8);
    }

    private static void Connect(RouteSession session, ReadOnlySpan<byte> text, SendBatch batch)
    {
        var context = session.Context;
        if (session.Target is not null || session.ConnectInfo is not null)
        {
            session.End(ClosedState.ProtocolViolation, "Protocol Violation: CONNECT is not expected", batch);
            return;
        }
        if (RouteContext.ParseConnect(text) is not { } connect)
        {
            session.End(ClosedState.ProtocolViolation, "Protocol Violation: CONNECT is not valid JSON", batch);
            return;
        }
        if (!string.IsNullOrEmpty(connect.Language))
        {
            session.End(ClosedState.ProtocolViolation, "attempted to connect to route port", batch);
            return;
        }
        if (!string.IsNullOrEmpty(connect.Gateway))
        {
            session.End(ClosedState.ProtocolViolation, $"Rejecting connection from gateway {GoQuote.Quote(connect.Gateway)} on the Route port", batch);
            return;
        }
        if (!IsAllowed(session, connect))
        {
            session.End(ClosedState.AuthenticationViolation, "Authorization Violation", batch);
            return;
        }
        if (!context.TryAgreeOnName(connect.Cluster, connect.ClusterDynamic, connect.Name ?? ""))
        {
            session.End(ClosedState.ProtocolViolation, $"Rejecting connection, cluster name {GoQuote.Quote(connect.Cluster!)} does not match {GoQuote.Quote(context.Name)}", batch);
            return;
        }
        session.Accept(connect);
    }

    private static bool IsAllowed(RouteSession session, RouteConnectInfo connect)
    {
        var options = session.Context.Options;
        // The certificate alone decides. Without a user no certificate is accepted.
        if (options.Tls is { VerifyAndMap: true })
            return session.Context.RequiresUser && session.Tls?.RemoteCertificate is { } certificate && CertificateNames.TryRead(certificate)?.Contains(options.User!) == true;
        if (!session.Context.RequiresUser) return true;
        return new StoredCredential(options.User!).Matches(Encoding.UTF8.GetBytes(connect.User ?? ""))
            & new StoredCredential(options.Password ?? "").Matches(Encoding.UTF8.GetBytes(connect.Password ?? ""));
    }

    private static void TakeInfo(RouteSession session, ReadOnlySpan<byte> text, SendBatch batch)
    {
        var context = session.Context;
        // The response to this comes after CONNECT.
        if (session.Target is not null) session.Greet();
        if (RouteContext.ParseInfo(text) is not { } info || (string.IsNullOrEmpty(info.ServerId) && session.RemoteInfo is null))
        {
            session.End(ClosedState.ProtocolViolation, "Protocol Violation: INFO is not valid JSON of a server", batch);
            return;
        }
        if (session.RemoteInfo is not null)
        {
            TakeLaterInfo(session, info);
            return;
        }
        // Only the INFO of a port for clients or leaf nodes contains it.
        if (session.Target is not null && info.ClientId != 0)
        {
            session.End(ClosedState.ProtocolViolation, "attempted to connect to wrong port", batch);
            return;
        }
        if (info.ServerId == context.Sessions.Info.ServerId)
        {
            session.Refusal = RouteRefusal.Self;
            session.End(ClosedState.ClientClosed, null, batch);
            return;
        }
        if (!context.TryAgreeOnName(info.Cluster, info.ClusterDynamic, info.ServerId))
        {
            RouteLog.Problem(context.Logger, session.Name, $"cluster name {GoQuote.Quote(info.Cluster!)} does not match {GoQuote.Quote(context.Name)}");
            session.End(ClosedState.ProtocolViolation, null, batch);
            return;
        }
        if (session.Target is null && info.ServerName == context.Sessions.Info.ServerName)
        {
            RouteLog.Problem(context.Logger, session.Name, $"Remote server has a duplicate name: {GoQuote.Quote(info.ServerName)}");
            session.End(ClosedState.ProtocolViolation, null, batch);
            return;
        }
        if (!session.Compression.IsChosen && !TryContinue(session, info, batch)) return;
        // The address for other servers: the one that it was reached at, or that it came from, with the port that it listens on.
        if (string.IsNullOrEmpty(info.Ip)) info.Ip = $"nats-route://{(session.RemoteAddress.Contains(':', StringComparison.Ordinal) ? $"[{session.RemoteAddress}]" : session.RemoteAddress)}:{info.Port}/";
        session.RemoteInfo = info;
        session.TakesHeaders = context.Sessions.SupportsHeaders && info.Headers;
        if (session.Target is null) session.PinnedAccount = string.IsNullOrEmpty(info.RouteAccount) ? null : info.RouteAccount;
        else info.RouteAccount = session.PinnedAccount;
        // A reload may have changed the pins during the handshake.
        if (context.Tls?.Rejects(session.Tls) == true)
        {
            session.End(ClosedState.TlsHandshakeError, null, batch);
            return;
        }
        if (context.Registry.TryRegister(session, info, out var problem)) return;
        if (session.Refusal == RouteRefusal.Duplicate) RouteLog.Detail(context.Logger, session.Name, $"Detected duplicate remote route {GoQuote.Quote(info.ServerId)}");
        session.End(ClosedState.ClientClosed, problem, batch);
    }

    // When both sides compress, each sends its INFO again: the connecting side before the switch, the other one after it.
    private static bool TryContinue(RouteSession session, ServerInfo info, SendBatch batch)
    {
        if (!session.Compression.TryChoose(info.Compression, session.Context.Time.GetUtcNow() - session.StartedAt))
        {
            session.End(ClosedState.ProtocolViolation, $"unsupported route compression mode {GoQuote.Quote(info.Compression!)}", batch);
            return false;
        }
        if (session.Compression.Codec is null) return true;
        if (session.Target is not null) session.Send(session.Context.RenderInfo(session, gossipMode: 0));
        session.Compress(batch);
        if (session.Target is null) session.Send(session.Context.RenderInfo(session, gossipMode: 0));
        return false;
    }

    private static void TakeLaterInfo(RouteSession session, ServerInfo info)
    {
        var context = session.Context;
        if (!string.IsNullOrEmpty(info.RouteAccountRequest))
        {
            TakeAccountRequest(session, info);
            return;
        }
        if (string.IsNullOrEmpty(info.ServerId) || !string.IsNullOrEmpty(info.Gateway))
        {
            RouteLog.Detail(context.Logger, session.Name, "ignored an INFO about gateways");
            return;
        }
        if (info.ServerId != session.RemoteId)
        {
            // The INFO is about a third server.
            if (info.ServerId != context.Sessions.Info.ServerId && !context.Registry.Knows(info.ServerId, info.RouteAccount)) context.Announced?.Invoke(info);
            return;
        }
        if (info.LameDuckMode) context.Registry.ForgetUrlsOf(info.ServerId);
        else session.TakePermissions(info);
    }

    // The other server was reloaded, and an account gets a dedicated route. The response does not contain the account.
    private static void TakeAccountRequest(RouteSession session, ServerInfo info)
    {
        if (info.RouteAccount is not { Length: > 0 } account) return;
        var context = session.Context;
        if (context.Sessions.Accounts.Find(account) is null)
        {
            RouteLog.Problem(context.Logger, session.Name, $"No account {GoQuote.Quote(account)} for its own route");
            return;
        }
        context.Pin(account);
        session.Send(RouteContext.Render(info with { RouteAccount = null }));
    }
}

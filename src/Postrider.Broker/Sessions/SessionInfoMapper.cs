using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Postrider.Broker.Accounts;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Reads the state of a session for monitoring. From any thread.</summary>
internal static class SessionInfoMapper
{
    /// <summary>The session's state now.</summary>
    /// <param name="session">The session.</param>
    /// <param name="withSubscriptions">Whether each subscription is listed.</param>
    public static ConnectionInfo Read(ClientSession session, bool withSubscriptions)
    {
        var (outbox, connect) = (session.Connection.Outbox, session.State.Connect);
        var time = session.Context.Time;
        return new ConnectionInfo
        {
            Id = session.Id,
            RemoteAddress = session.RemoteAddress ?? "",
            RemotePort = session.RemotePort,
            StartedAt = session.StartedAt,
            LastActivityAt = time.GetUtcNow() - time.GetElapsedTime(session.LastActivity),
            RoundTrip = session.RoundTrip,
            PendingBytes = outbox.PendingBytes,
            InMessages = session.InMessages,
            InBytes = session.InBytes,
            OutMessages = outbox.Messages,
            OutBytes = outbox.MessageBytes,
            Stalls = outbox.Stalls,
            SubscriptionCount = session.Subscriptions.Count,
            Name = connect?.Name,
            Language = connect?.Language,
            Version = connect?.Version,
            User = session.UserName,
            Account = session.AccountName,
            AccountTag = session.State.Account.NameTag,
            Jwt = session.State.ShownToken,
            IssuerKey = session.State.IssuerKey,
            Tags = session.State.TokenUser?.Grant.User.Tags,
            TlsFirst = session.TlsCameFirst,
            Type = session.WebSocket is null ? "nats" : "websocket",
            Subscriptions = withSubscriptions ? ReadSubscriptions(session) : null,
        }.With(session.Tls);
    }

    /// <summary>The session in events.</summary>
    public static EventConnection ReadForEvent(ClientSession session) => ReadForEvent(session, Read(session, withSubscriptions: false));

    /// <summary>The session in events.</summary>
    /// <param name="session">The session.</param>
    /// <param name="info">Its state.</param>
    public static EventConnection ReadForEvent(ClientSession session, ConnectionInfo info)
        => session.State.Connect is { } connect ? new(info, session.State.NameIn(connect), connect.Jwt) : new(info, null, null);

    /// <summary>Adds the properties of an encrypted connection.</summary>
    /// <param name="info">The state of a connection.</param>
    /// <param name="tls">Its encryption; null without TLS.</param>
    public static ConnectionInfo With(this ConnectionInfo info, TlsConnection? tls) => tls is null ? info : info with
    {
        TlsVersion = SessionHandshake.VersionOf(tls.Protocol),
        TlsCipherSuite = tls.CipherSuite.ToString(),
        TlsPeer = tls.RemoteCertificate is { } certificate ? ReadPeer(certificate) : null,
    };

    /// <summary>The session's subscriptions now.</summary>
    public static SubscriptionState[] ReadSubscriptions(ClientSession session) => ReadSubscriptions(session, session.Subscriptions.All());

    /// <summary>The subscriptions of a session that ends; empty if they would not be remembered.</summary>
    public static SubscriptionState[] ReadSubscriptions(ClientSession session, SessionRegistry rememberedIn)
    {
        var all = session.Subscriptions.All();
        return rememberedIn.MayRemember(all) ? ReadSubscriptions(session, all) : [];
    }

    private static SubscriptionState[] ReadSubscriptions(ClientSession session, Subscription[] all)
    {
        var states = new SubscriptionState[all.Length];
        for (var i = 0; i < all.Length; i++)
        {
            states[i] = new SubscriptionState
            {
                Account = session.AccountName,
                AccountTag = session.State.Account.NameTag,
                Subject = Subject.ToText(all[i].SubjectBytes),
                Queue = all[i].QueueGroup.Length == 0 ? null : Subject.ToText(all[i].QueueGroup),
                Sid = Subject.ToText(all[i].Sid),
                Messages = all[i].Delivered,
                Max = all[i].Max,
                ConnectionId = session.Id,
            };
        }
        return states;
    }

    private static TlsPeerCertificate ReadPeer(X509Certificate2 certificate) => new()
    {
        Subject = DistinguishedName.Write(certificate.SubjectName),
        PublicKeySha256 = TlsMaterial.KeyIdOf(certificate),
        CertificateSha256 = Convert.ToHexStringLower(SHA256.HashData(certificate.RawDataMemory.Span)),
    };
}

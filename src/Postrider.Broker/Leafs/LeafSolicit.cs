using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Postrider.Broker.Peers;
using Postrider.Broker.Sessions;
using Postrider.Credentials;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>The handshake of a connection that the broker solicits: INFO, optionally TLS, CONNECT, and the INFO in response.</summary>
/// <remarks>Source: nats-server, leaf node protocol.</remarks>
internal static class LeafSolicit
{
    // Maximum time between CONNECT and the INFO in response.
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Handles an INFO of the remote.</summary>
    public static void TakeInfo(LeafSession session, ReadOnlySpan<byte> text, SendBatch batch)
    {
        if (LeafContext.ParseInfo(text) is not { } info)
        {
            session.End(ClosedState.ProtocolViolation, "Protocol Violation: INFO is not valid JSON", batch);
            return;
        }
        var remote = session.Remote!;
        if (session.IsConnected)
        {
            TakeAccount(session, info);
            TakeAddresses(remote, info);
            return;
        }
        if (!session.HasInfo)
        {
            TakeFirst(session, remote, info, batch);
            return;
        }
        if (session.AwaitsEncodedInfo)
        {
            session.AwaitsEncodedInfo = false;
            SendConnect(session, remote, info, batch);
            return;
        }
        if (!info.ConnectInfo) return;
        Finish(session, info, batch);
        if (session.IsConnected) TakeAddresses(remote, info);
    }

    // Only from a remote that accepted the connection, and after the TLS handshake if there is one: anything that listens could send other addresses before.
    private static void TakeAddresses(LeafRemote remote, ServerInfo info)
    {
        if ((remote.IsWebSocket ? info.WebSocketConnectUrls : info.LeafNodeUrls) is { Length: > 0 } urls && !remote.Options.IgnoreDiscoveredServers) remote.SetDiscovered(urls, info.TlsRequired);
    }

    private static void TakeFirst(LeafSession session, LeafRemote remote, ServerInfo info, SendBatch batch)
    {
        session.HasInfo = true;
        if (info.ClientId == 0 || info.LeafNodeUrls is null)
        {
            session.End(ClosedState.ProtocolViolation, "attempted to connect to wrong port", batch);
            return;
        }
        if (info.Cluster?.Contains(' ', StringComparison.Ordinal) == true)
        {
            session.End(ClosedState.ProtocolViolation, "cluster name cannot contain spaces or new lines", batch);
            return;
        }
        session.Identify(info.ServerName.Length > 0 ? info.ServerName : info.ServerId, info.Domain, info.Cluster, session.Context.Sessions.SupportsHeaders && info.Headers);
        session.AwaitNext(AnswerTimeout + remote.TlsTimeout, ClosedState.StaleConnection, "Stale Leaf Node Connection - Closing");
        if (info.TlsRequired && !session.IsWebSocket) remote.RequireTls();
        // A WebSocket was encrypted before, if TLS is used.
        if (session.Tls is not null || session.IsWebSocket || (!info.TlsRequired && !remote.RequiresTls))
        {
            if (LeafCompression.Settle(session, info, batch)) SendConnect(session, remote, info, batch);
            return;
        }
        if (!info.TlsRequired)
        {
            session.End(ClosedState.TlsHandshakeError, "TLS is required for this remote, by its configuration or because it required TLS before, but it does not offer it now", batch);
            return;
        }
        session.UpgradeThen(later =>
        {
            try
            {
                var tls = TlsConnection.Upgrade(session.Connection, remote.CreateTlsOptions(), remote.TlsTimeout, later);
                if (LeafCompression.SettleAndStart(session, tls, info, later)) SendConnect(session, remote, info, later);
            }
            catch (TlsFileException error)
            {
                LeafLog.Problem(session.Context.Logger, session.Name, error.Message);
                session.End(ClosedState.TlsHandshakeError, null);
            }
        });
    }

    private static void SendConnect(LeafSession session, LeafRemote remote, ServerInfo info, SendBatch batch)
    {
        if (CreateConnect(session, remote, info, out var problem) is not { } connect)
        {
            LeafLog.Problem(session.Context.Logger, session.Name, problem!);
            session.End(ClosedState.AuthenticationViolation, null, batch);
            return;
        }
        session.SolicitedProtocol = info.Protocol;
        session.Send(LeafContext.RenderConnect(connect));
        session.AwaitNext(AnswerTimeout + remote.TlsTimeout, ClosedState.StaleConnection, "Stale Leaf Node Connection - Closing");
        // A server before 2.9.10 does not respond.
        if (!info.InfoOnConnect) Finish(session, info, batch);
    }

    private static void Finish(LeafSession session, ServerInfo info, SendBatch batch)
    {
        TakeAccount(session, info);
        session.TryRegister(batch);
    }

    private static void TakeAccount(LeafSession session, ServerInfo info)
    {
        if (info.RemoteAccount is { Length: > 0 } account) session.RemoteAccountName = account;
        if (!session.IsConnected || info.Import is not null || info.Export is not null)
            session.SetPermissions(LeafPermissions.OfSolicited(session, session.Context, info));
    }

    private static LeafConnectInfo? CreateConnect(LeafSession session, LeafRemote remote, ServerInfo info, out string? problem)
    {
        var (context, options, own) = (session.Context, remote.Options, session.Context.Sessions.Info);
        var connect = new LeafConnectInfo
        {
            Version = own.Version,
            ServerId = own.ServerId,
            Domain = own.Domain,
            Name = own.ServerName,
            IsHub = options.Hub,
            Cluster = context.ClusterName,
            Headers = session.TakesHeaders,
            JetStream = own.JetStream,
            DenyImports = options.DenyImports.Count == 0 ? null : [.. options.DenyImports],
            Compression = session.Compression.Mode,
            RemoteAccount = session.AccountName,
            Protocol = PeerSessions.Protocol,
            Isolate = options.RequestIsolation,
        };
        var nonce = Encoding.ASCII.GetBytes(info.Nonce ?? "");
        try
        {
            if (options.Credentials is { Length: > 0 } file)
            {
                using var credentials = CredentialsFile.Read(file);
                (connect.Jwt, connect.Signature) = (credentials.Jwt, Base64Url.EncodeToString(credentials.Key.Sign(nonce)));
            }
            else if (options.NkeySeed is { Length: > 0 } seed)
            {
                using var key = NkeyPair.FromSeed(seed);
                (connect.Nkey, connect.Signature) = (key.PublicKey, Base64Url.EncodeToString(key.Sign(nonce)));
            }
        }
        catch (Exception error) when (error is CredentialsException or IOException or UnauthorizedAccessException or CryptographicException)
        {
            problem = $"the credentials of the leafnode remote cannot be used: {error.Message}";
            return null;
        }
        problem = null;
        if (remote.Current?.User is not { } user) return connect;
        connect.User = user;
        connect.Password = remote.Current.Password;
        // A single value is a user or a token.
        if (connect.Password is null) connect.Token = user;
        return connect;
    }
}

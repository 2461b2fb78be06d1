using System.Net;
using System.Net.Sockets;
using Postrider.Broker.Accounts;
using Postrider.Broker.Leafs;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Sessions;
using Postrider.Broker.Trust;
using Postrider.Credentials;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Hosting;

/// <summary>The leaf nodes of one broker: their listener, and the connections to remotes.</summary>
/// <remarks>Not thread-safe: the broker never starts, reloads and stops it concurrently.</remarks>
internal sealed class LeafHost(SessionContext sessions, ConnectionEngine engine, TlsMaterial? tls)
{
    private static readonly TimeSpan FlushOnStop = TimeSpan.FromSeconds(2);

    private readonly LeafContext _context = new(sessions, sessions.Options.LeafNodes ?? new LeafNodeOptions(), tls);
    private readonly List<LeafRemote> _remotes = [];
    private Listener? _listener;

    /// <summary>The address listened on; null without the listener.</summary>
    public IPEndPoint? EndPoint => _listener?.EndPoint;

    /// <summary>The connections.</summary>
    public LeafRegistry Registry => _context.Registry;

    /// <summary>When the certificate of the listener expires; null without TLS.</summary>
    public DateTimeOffset? CertificateNotAfter => _context.Tls?.NotAfter;

    /// <summary>Begins to listen and to connect.</summary>
    /// <param name="resolve">Resolves a host name to an address of this machine.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotListen"/>.</exception>
    public void Begin(Func<string, IPAddress> resolve)
    {
        var options = _context.Options;
        sessions.ClaimsChanged = EndThoseWhoMustGo;
        sessions.ClusterRenamed = EndSolicited;
        sessions.Accounts.ImportsChanged += RefreshImports;
        if (options.Port is { } port)
        {
            try
            {
                _listener = Listener.Start(
                    new IPEndPoint(resolve(options.Host), port == BrokerOptions.RandomPort ? 0 : port), engine, Accept, error => BrokerLog.AcceptFailed(sessions.Logger, error.Message));
            }
            catch (SocketException error)
            {
                throw new BrokerException(BrokerError.CannotListen, $"Unable to listen for leafnode connections on {options.Host}:{port}: {error.Message}. Choose another port.", error);
            }
            _context.Port = _listener.EndPoint.Port;
            sessions.LeafNodeUrl = _context.AnnouncedUrl;
            sessions.LeafNodeUrlsChanged = AnnounceUrls;
            sessions.AcceptLeafNode = AcceptWebSocket;
            LeafLog.Listening(sessions.Logger, $"{options.Host}:{_context.Port}");
        }
        foreach (var remote in options.Remotes) Add(remote);
    }

    /// <summary>Applies changed options: remotes are added and removed, and connections whose user is no longer allowed are closed.</summary>
    /// <param name="options">Valid options; null disables leaf nodes.</param>
    /// <param name="material">The certificates for new connections.</param>
    public void Reload(LeafNodeOptions? options, TlsMaterial? material)
    {
        var chosen = options ?? new LeafNodeOptions();
        var (before, beforeOfWebSockets) = (_context.Authenticator, _context.WebSocketAuthenticator);
        _context.Apply(chosen, material);
        var wanted = chosen.Remotes.Where(static remote => !remote.Disabled).ToList();
        foreach (var remote in _remotes.ToArray())
        {
            if (wanted.Exists(remote.Options.IsSameAs)) continue;
            _remotes.Remove(remote);
            _ = remote.DisposeAsync().AsTask();
        }
        foreach (var remote in wanted.Where(remote => !_remotes.Exists(known => known.Options.IsSameAs(remote)))) Add(remote);
        foreach (var session in Registry.Open.Where(IsNoLongerPinned)) session.End(ClosedState.TlsHandshakeError, null);
        // In operator mode the tokens decide who may stay connected.
        if (sessions.Tokens is not null && !chosen.HasOwnUsers) return;
        foreach (var session in Registry.Registered.Where(static session => session.Remote is null))
        {
            var user = LeafAuthenticator.Renew(session, session.IsWebSocket ? beforeOfWebSockets : before);
            if (user is null || !ReferenceEquals(user.Account, session.Account)) session.End(ClosedState.AuthenticationViolation, "Authorization Violation");
            else if (!LeafPermissions.AreSame(user.Permissions?.Options, session.Permissions)) session.End(ClosedState.ClientClosed, "Permissions changed, please reconnect");
        }
    }

    /// <summary>Stops accepting connections.</summary>
    public async ValueTask StopListeningAsync()
    {
        if (_listener is not null) await _listener.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Ends every connection after its pending bytes were sent.</summary>
    public async Task StopAsync()
    {
        await StopListeningAsync().ConfigureAwait(false);
        foreach (var session in Registry.Open) session.End(ClosedState.ServerShutdown, null);
        var stopping = _remotes.Select(static remote => remote.DisposeAsync().AsTask()).ToList();
        try
        {
            await Task.WhenAll(Registry.Open.Select(static session => session.Ended).Concat(stopping)).WaitAsync(FlushOnStop).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            foreach (var session in Registry.Open) session.Connection.Close();
        }
        await Task.WhenAll(stopping).ConfigureAwait(false);
    }

    /// <summary>Closes a connection.</summary>
    /// <param name="id">Its id.</param>
    /// <returns>False when there is none with this id.</returns>
    public bool Kick(ulong id)
    {
        if (Registry.Registered.FirstOrDefault(session => session.Id == id) is not { } found) return false;
        found.End(ClosedState.Kicked, null);
        return true;
    }

    /// <summary>The state of the connections for monitoring.</summary>
    public IReadOnlyList<LeafState> Read(bool withSubscriptions) => [.. Registry.Registered.Select(session => new LeafState
    {
        Id = session.Id,
        Name = session.ServerName,
        IsSpoke = session.IsSpoke,
        IsIsolated = session.IsIsolated,
        Account = session.AccountName,
        RemoteAddress = session.RemoteAddress ?? "",
        RemotePort = session.RemotePort,
        RoundTrip = session.RoundTrip,
        InMessages = session.InMessages,
        InBytes = session.InBytes,
        OutMessages = session.Outbox.Messages,
        OutBytes = session.Outbox.MessageBytes,
        SubscriptionCount = session.Subscriptions.Count,
        Compression = session.Compression.Mode,
        IsWebSocket = session.IsWebSocket,
        Subscriptions = withSubscriptions ? [.. session.Subscriptions.All().Select(static subscription => Subject.ToText(subscription.SubjectBytes)).Order(StringComparer.Ordinal)] : null,
    })];

    private bool IsNoLongerPinned(LeafSession session)
    {
        var material = session.IsWebSocket ? sessions.WebSocket?.Tls : _context.Tls;
        return session.Remote is null && material?.Rejects(session.Tls) == true;
    }

    private void EndThoseWhoMustGo(TrustedAccount account, AccountClaims? before)
    {
        foreach (var session in Registry.Registered)
        {
            if (session.Token is not { } user || !ReferenceEquals(user.Account, account)) continue;
            if (before is null) session.End(ClosedState.AuthenticationExpired, "Account Authentication Expired");
            else if (ClaimsReload.ReasonToEnd(user, before, account.Claims, out var error) is { } end) session.End(end, error);
        }
    }

    private void RefreshImports(Account account)
    {
        foreach (var session in Registry.Registered.Where(session => ReferenceEquals(session.Account, account)))
            foreach (var subscription in session.Subscriptions.All()) session.Imported.Update(subscription, account);
    }

    private void AnnounceUrls()
    {
        foreach (var session in Registry.Registered.Where(static session => session.Remote is null)) session.Send(_context.RenderUrls(session));
    }

    // Hubs know the server by its cluster name.
    private void EndSolicited()
    {
        foreach (var session in Registry.Open.Where(static session => session.Remote is not null)) session.End(ClosedState.ClientClosed, null);
    }

    private void Accept(Connection connection)
    {
        if (_context.Tls is { } material) LeafTlsServer.Accept(connection, _context, material);
        else new LeafSession(connection, _context, remote: null).Start();
    }

    private Func<ClosedState> AcceptWebSocket(Connection connection)
    {
        var session = new LeafSession(connection, _context, remote: null);
        session.Start();
        return () => session.EndState;
    }

    private void Add(LeafRemoteOptions options)
    {
        if (options.Disabled) return;
        var account = string.IsNullOrEmpty(options.Account) ? sessions.Accounts.Global : sessions.Accounts.Find(options.Account);
        if (account is null)
        {
            LeafLog.NoAccount(sessions.Logger, options.Account!);
            return;
        }
        var remote = new LeafRemote(_context, new TcpConnector(engine), options, account);
        _remotes.Add(remote);
        remote.Start();
    }
}

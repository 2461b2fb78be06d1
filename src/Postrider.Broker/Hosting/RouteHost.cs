using System.Net;
using System.Net.Sockets;
using Postrider.Broker.Accounts;
using Postrider.Broker.Configuration;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Peers;
using Postrider.Broker.Routes;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Hosting;

/// <summary>The routes of one broker: their listener, and the connections to configured servers.</summary>
/// <remarks>Not thread-safe: the broker never starts, reloads and stops it concurrently.</remarks>
internal sealed class RouteHost : IAsyncDisposable
{
    private static readonly TimeSpan FlushOnStop = TimeSpan.FromSeconds(2);

    private readonly SessionContext _sessions;
    private readonly ConnectionEngine _engine;
    private readonly RouteContext _context;
    private readonly RouteDialer _dialer;
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Listener? _listener;

    private RouteHost(SessionContext sessions, ConnectionEngine engine, ClusterOptions options, TlsMaterial? tls)
    {
        (_sessions, _engine, _context) = (sessions, engine, new RouteContext(sessions, options, tls));
        _dialer = new RouteDialer(_context, new TcpConnector(engine));
        sessions.Info = sessions.Info with { Cluster = _context.Name };
    }

    /// <summary>The address listened on; null before the start.</summary>
    public IPEndPoint? EndPoint => _listener?.EndPoint;

    /// <summary>The connections.</summary>
    public RouteRegistry Registry => _context.Registry;

    /// <summary>The cluster's name.</summary>
    public string Name => _context.Name;

    /// <summary>When the certificate expires; null without TLS.</summary>
    public DateTimeOffset? CertificateNotAfter => _context.Tls?.NotAfter;

    /// <summary>Creates the routes of a broker that belongs to a cluster.</summary>
    /// <returns>Null for a broker without a cluster.</returns>
    public static RouteHost? Create(SessionContext sessions, ConnectionEngine engine, TlsMaterial? tls)
        => sessions.Options.Cluster is { } options ? new RouteHost(sessions, engine, options, tls) : null;

    /// <summary>Begins to listen and to connect.</summary>
    /// <param name="resolve">Resolves a host name to an address of this machine.</param>
    /// <param name="client">The address that clients connect to; null without that listener.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotListen"/>.</exception>
    public void Begin(Func<string, IPAddress> resolve, IPEndPoint? client)
    {
        var options = _context.Options;
        _context.ClientUrls = ClientUrls(client);
        Registry.OwnWebSocketUrls = _sessions.Info.WebSocketConnectUrls ?? [];
        _sessions.Accounts.Added += Announce;
        _sessions.Accounts.Removed += Forget;
        RouteLog.Name(_sessions.Logger, _context.Name);
        if (_context.IsNameDynamic) RouteLog.NameIsGenerated(_sessions.Logger);
        try
        {
            // The port is known before the first connection is accepted, because INFO contains it.
            var port = options.Port == BrokerOptions.RandomPort ? 0 : options.Port;
            _listener = Listener.Start(new IPEndPoint(resolve(options.Host), port), _engine, Accept, error => BrokerLog.AcceptFailed(_sessions.Logger, error.Message));
        }
        catch (SocketException error)
        {
            throw new BrokerException(BrokerError.CannotListen, $"Error listening on router port: {options.Host}:{options.Port} - {error.Message}. Choose another port.", error);
        }
        _context.Port = _listener.EndPoint.Port;
        if (options.Advertise is { Length: > 0 } advertised)
            _context.AdvertisedUrl = HostPort.Split(advertised) is null ? $"nats-route://{advertised}:{_context.Port}/" : $"nats-route://{advertised}/";
        RouteLog.Listening(_sessions.Logger, $"{options.Host}:{_context.Port}");
        _ready.SetResult();
        _dialer.Update();
    }

    /// <summary>Applies changed options: configured servers are added and removed.</summary>
    /// <param name="options">Valid options that need no restart.</param>
    /// <param name="material">The certificates for new connections.</param>
    public void Reload(ClusterOptions options, TlsMaterial? material) => RouteReload.Apply(_context, _dialer, options, material);

    /// <summary>Announces to the other servers that clients are asked to leave, so that they do not send their clients here.</summary>
    public void EnterLameDuckMode()
    {
        Registry.ForgetOwnUrls();
        Registry.SendToEach(_context.RenderLameDuckInfo());
    }

    /// <summary>Stops accepting connections.</summary>
    public async ValueTask StopListeningAsync()
    {
        if (_listener is not null) await _listener.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Ends every connection after its pending bytes were sent.</summary>
    public async Task StopAsync()
    {
        _ready.TrySetResult();
        _sessions.Accounts.Added -= Announce;
        _sessions.Accounts.Removed -= Forget;
        await StopListeningAsync().ConfigureAwait(false);
        var stopping = _dialer.DisposeAsync().AsTask();
        foreach (var session in Registry.Open) session.End(ClosedState.ServerShutdown, null);
        try
        {
            await Task.WhenAll(Registry.Open.Select(static session => session.Ended).Append(stopping)).WaitAsync(FlushOnStop).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            foreach (var session in Registry.Open) session.Connection.Close();
        }
        await stopping.ConfigureAwait(false);
    }

    /// <inheritdoc cref="StopAsync"/>
    public async ValueTask DisposeAsync() => await StopAsync().ConfigureAwait(false);

    /// <summary>The state of the connections for monitoring.</summary>
    public IReadOnlyList<RouteState> Read(bool withSubscriptions) => [.. Registry.Registered.Select(session => new RouteState
    {
        Id = session.Id,
        RemoteId = session.RemoteId,
        RemoteName = session.RemoteInfo?.ServerName ?? "",
        DidSolicit = session.Target is not null,
        IsConfigured = session.Target is { IsExplicit: true },
        RemoteAddress = session.RemoteAddress,
        RemotePort = session.RemotePort,
        StartedAt = session.StartedAt,
        LastActivity = _context.Time.GetUtcNow() - _context.Time.GetElapsedTime(session.LastActivity),
        RoundTrip = session.RoundTrip,
        PendingBytes = session.Outbox.PendingBytes,
        InMessages = session.InMessages,
        InBytes = session.InBytes,
        OutMessages = session.Outbox.Messages,
        OutBytes = session.Outbox.MessageBytes,
        Compression = session.Compression.Mode,
        SubscriptionCount = session.Links.Sum(static link => link.Subscriptions.Count),
        Subscriptions = withSubscriptions ? [.. session.Links.SelectMany(Subscriptions).OrderBy(static one => one.Subject, StringComparer.Ordinal)] : null,
        Import = session.RemoteInfo?.Import,
        Export = session.RemoteInfo?.Export,
        Account = session.PinnedAccount ?? "",
    })];

    private static IEnumerable<SubscriptionState> Subscriptions(RouteLink link) => link.Subscriptions.All().Select(subscription => new SubscriptionState
    {
        Account = link.AccountName,
        Subject = Subject.ToText(subscription.SubjectBytes),
        Queue = Subject.ToText(subscription.QueueGroup),
        Sid = SidOf(link, subscription),
        Messages = subscription.Delivered,
        ConnectionId = link.Id,
    });

    // The id that nats-server uses for it: R or L, then the arguments of RS+ or LS+ without the weight.
    private static string SidOf(RouteLink link, PeerSubscription subscription)
    {
        byte[][] words = [subscription.Origin, link.WireAccount, subscription.SubjectBytes, subscription.QueueGroup];
        return string.Join(' ', words.Where(static word => word.Length > 0).Select(static word => Subject.ToText(word)).Prepend(subscription.Origin.Length > 0 ? "L" : "R"));
    }

    // INFO contains the port, which a listener on a random port only knows once it listens.
    private async Task AcceptLaterAsync(Connection connection)
    {
        await _ready.Task.ConfigureAwait(false);
        AcceptNow(connection);
    }

    private void Accept(Connection connection)
    {
        if (_ready.Task.IsCompleted) AcceptNow(connection);
        else _ = AcceptLaterAsync(connection);
    }

    private void AcceptNow(Connection connection)
    {
        if (_context.Tls is { } material) RouteTlsServer.Accept(connection, _context, material);
        else new RouteSession(connection, _context, target: null).Start();
    }

    private void Announce(Account account)
    {
        foreach (var session in Registry.Registered) session.Announce(account);
    }

    private void Forget(Account account)
    {
        foreach (var session in Registry.Registered) session.Forget(account);
    }

    // The address listened on; if that is the wildcard address, each address of the machine.
    private IReadOnlyList<string> ClientUrls(IPEndPoint? client)
    {
        if (client is null) return [];
        var info = _sessions.Info;
        if (!string.IsNullOrEmpty(_sessions.Options.ClientAdvertise)) return [MachineAddresses.Join(info.Host, info.Port)];
        if (!MachineAddresses.IsWildcard(client.Address)) return [MachineAddresses.Join(info.Host, client.Port)];
        return MachineAddresses.With(client.Port);
    }
}

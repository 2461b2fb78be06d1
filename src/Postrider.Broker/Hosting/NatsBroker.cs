using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Broker.Accounts;
using Postrider.Broker.Hosting;
using Postrider.Broker.JetStream.Api;
using Postrider.Broker.JetStream.Consumers;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Peers;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Sockets;
using Postrider.Storage.Files;
using Postrider.Wire.Frames;

namespace Postrider.Broker;

/// <summary>A NATS broker in this process. Clients connect over TCP, or in the same process without a socket.</summary>
/// <remarks>Thread-safe. Several may run in one process.</remarks>
/// <example><code>
/// await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });
/// Console.WriteLine(broker.Url);
/// </code></example>
public sealed class NatsBroker : IAsyncDisposable
{
    /// <summary>The version of nats-server whose protocol and behaviour the broker follows.</summary>
    public const string ReferenceVersion = BrokerOptions.ReferenceVersion;

    // More loops than this were never measured; a broker rarely has more cores to itself.
    private const int MaxLoops = 16;

    private static readonly TimeSpan FlushOnStop = TimeSpan.FromSeconds(2);

    // Containers get ten seconds by default. Closing continues as long as a stream is closed within each period of this length.
    private static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(5);

    // Guards the options, so that only one reload runs at a time. Held together with Sessions/SubscriptionTable's lock.
    private readonly Lock _reloadGate = new();
    private readonly SessionContext _context;
    private readonly ConnectionEngine _engine;
    private readonly ILogger _logger;
    private readonly BrokerState _report;
    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _stopping = new();
    private readonly List<IAsyncDisposable> _extensions = [];
    private readonly JetStreamEngine? _jetStream;
    private readonly JetStreamRecovery? _recovery;
    private readonly OperatorModeHost? _operatorMode;
    private readonly SystemServices? _systemServices;
    private readonly CalloutKeys? _calloutKeys;
    private readonly LeafHost _leafs;
    private readonly RouteHost? _routes;
    private readonly MemoryConnector _connector;
    private Listener? _listener;
    private Listener? _webSocketListener;
    private StoreLock? _storeLock;
    private int _state;
    private bool _isServing;

    private NatsBroker(BrokerOptions options, BrokerCertificates certificates)
    {
        _logger = (options.LoggerFactory ?? NullLoggerFactory.Instance).CreateLogger("Postrider.Broker");
        var batches = new SendBatchSet();
        var accounts = AccountRegistry.Create(options);
        _calloutKeys = options.OperatorMode is { IsOn: true } || options.Authorization?.Callout is not null ? new CalloutKeys() : null;
        var id = _calloutKeys?.Identity.PublicKey ?? ServerIdentity.Create();
        var info = new ServerInfo
        {
            ServerId = id,
            ServerName = options.ServerName ?? id,
            Version = ReferenceVersion,
            Runtime = $"dotnet{Environment.Version}",
            Headers = !options.NoHeaderSupport,
            Xkey = _calloutKeys?.Curve.PublicKey,
            JetStream = options.JetStream is { Enabled: true },
            ApiLevel = ApiLevel.Current,
            Domain = options.JetStream is { Enabled: true } ? options.JetStream.Domain : null,
        };
        accounts.ServerName = info.ServerName;
        _context = new SessionContext(options, certificates, accounts, info, batches, _logger) { Tracer = new TracedPublish() };
        if (_calloutKeys is not null) _context.Callout = new AuthCallout(_context, _calloutKeys);
        BrokerReload.Announce(_context, options.Port);
        _engine = ConnectionEngine.Create(batches, Math.Min(Environment.ProcessorCount, MaxLoops), options.Engine, options.TimeProvider);
        _connector = new MemoryConnector(batches, Accept, options.TimeProvider);
        _report = new BrokerState(_context, options.TimeProvider.GetUtcNow(), () => _listener?.EndPoint.Port ?? 0) { Connector = _connector };
        if (options.JetStream is { Enabled: true } streams)
        {
            _report.JetStream = _jetStream = CreateJetStream(streams, batches, info);
            _recovery = new JetStreamRecovery(_jetStream);
        }
        _operatorMode = OperatorModeHost.Create(_context);
        _report.TrustedAccounts = _operatorMode?.Accounts;
        _report.Cluster = _routes = RouteHost.Create(_context, _engine, certificates.Cluster);
        _report.Leafs = _leafs = new LeafHost(_context, _engine, certificates.LeafNodes);
        if (accounts.System is not { } system) return;
        _context.Events = new SystemEvents(_context, system, _report.ReadAccount);
        _systemServices = new SystemServices(_context, system, new SystemPages(_context, _report), ReloadOnRequest, id => _report.Leafs?.Kick(id) == true);
    }

    /// <summary>Connects clients of this process to the broker without a socket.</summary>
    public IConnector Connector => _connector;

    /// <summary>The state that monitoring reads.</summary>
    public IBrokerState State => _report;

    /// <summary>The address listened on; null when the broker does not listen.</summary>
    public IPEndPoint? EndPoint => _listener?.EndPoint;

    /// <summary>The address for clients, of the form <c>nats://127.0.0.1:4222</c>, <c>tls://</c> where TLS is required; null when the broker does not listen.</summary>
    public string? Url => EndPoint is null ? null : $"{(_context.Options is { Tls: not null, AllowNonTls: false } ? "tls" : "nats")}://{ReachableHost(EndPoint)}:{EndPoint.Port}";

    /// <summary>The address of the WebSocket listener; null without one.</summary>
    public IPEndPoint? WebSocketEndPoint => _webSocketListener?.EndPoint;

    /// <summary>The address for clients over WebSockets, of the form <c>ws://127.0.0.1:8080</c>, <c>wss://</c> with TLS; null without that listener.</summary>
    public string? WebSocketUrl => WebSocketEndPoint is null
        ? null
        : $"{(_context.WebSocket is { Tls: not null } ? "wss" : "ws")}://{ReachableHost(WebSocketEndPoint)}:{WebSocketEndPoint.Port}";

    /// <summary>Reloads the options when a user of the system account asks for it (<c>$SYS.REQ.SERVER.*.RELOAD</c>), on a thread of the pool;
    /// it throws a <see cref="BrokerException"/> whose message is sent to the user. Null, the default, rejects such requests.</summary>
    public Action? ReloadHandler { get; set; }

    /// <summary>The address of the listener for leaf nodes; null without one.</summary>
    public IPEndPoint? LeafNodeEndPoint => _leafs.EndPoint;

    /// <summary>The address of the listener for routes; null without a cluster.</summary>
    public IPEndPoint? ClusterEndPoint => _routes?.EndPoint;

    /// <summary>Completes when the broker has stopped for any reason.</summary>
    public Task Completion => _stopped.Task;

    /// <summary>Starts a broker.</summary>
    /// <param name="options">The options; port 4222 on the loopback address when null.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A broker that accepts clients.</returns>
    /// <exception cref="BrokerException">An option is invalid, or the address is in use: the message names it.</exception>
    public static Task<NatsBroker> StartAsync(BrokerOptions? options = null, CancellationToken ct = default) => StartAsync(options, [], ct);

    /// <summary>Starts a broker with its extensions.</summary>
    /// <param name="options">The options; port 4222 on the loopback address when null.</param>
    /// <param name="extensions">Started in order before the broker listens, stopped after its last connection.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A broker that accepts clients.</returns>
    /// <exception cref="BrokerException">An option is invalid, or an address is in use: the message names it.</exception>
    public static async Task<NatsBroker> StartAsync(BrokerOptions? options, IEnumerable<IBrokerExtension> extensions, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(extensions);
        ct.ThrowIfCancellationRequested();
        var chosen = options is null ? new BrokerOptions() : options with { };
        chosen.Validate();
        SubjectMappings.Validate(chosen);
        SharingValidator.Validate(chosen);
        OperatorModeHost.Complete(chosen);
        var broker = new NatsBroker(chosen, BrokerCertificates.Load(chosen));
        try
        {
            broker.CheckAddress();
            broker.Announce();
            if (broker._operatorMode is { } operatorMode) await operatorMode.StartAsync(broker._jetStream?.Root.Path, ct).ConfigureAwait(false);
            if (broker._jetStream is { } streams) broker._storeLock = StreamFolder.Open(streams, broker._context.Options);
            // Accounts added from now on are provisioned at once; those of the configuration and those that were looked up exist already.
            new AccountProvisioner(broker._context, broker._jetStream, broker._systemServices).Begin();
            broker._systemServices?.Begin();
            broker._operatorMode?.Serve();
            foreach (var extension in extensions)
                broker._extensions.Add(await extension.StartAsync(broker.State, ct).ConfigureAwait(false));
            broker.FindStreams();
            broker.Begin();
            await broker.RecoverAsync().ConfigureAwait(false);
            broker._isServing = true;
            BrokerLog.Ready(broker._logger);
            return broker;
        }
        catch
        {
            await broker.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Stops accepting clients, sends the pending messages and closes every connection.</summary>
    /// <returns>Completes when everything is closed. Clients have two seconds to receive their pending messages. Streams are abandoned when
    /// no stream was closed within five seconds: they are recovered at the next start.</returns>
    public async Task StopAsync()
    {
        if (Interlocked.Exchange(ref _state, 2) == 2)
        {
            await _stopped.Task.ConfigureAwait(false);
            return;
        }
        // A failed start has reported its reason already.
        if (_isServing) BrokerLog.ShuttingDown(_logger);
        _report.HealthProblem = "server is shutting down";
        await _stopping.CancelAsync().ConfigureAwait(false);
        await StopListeningAsync().ConfigureAwait(false);
        if (_systemServices is not null) await _systemServices.DisposeAsync().ConfigureAwait(false);
        if (_context.Events is { } events) await events.ShutDownAsync().ConfigureAwait(false);
        _jetStream?.EndPulls();
        var peers = Task.WhenAll(_leafs.StopAsync(), _routes?.StopAsync() ?? Task.CompletedTask);
        foreach (var session in _context.Sessions.Open) session.End(ClosedState.ServerShutdown, null);
        await WaitUntilEmptyAsync().ConfigureAwait(false);
        await peers.ConfigureAwait(false);
        foreach (var session in _context.Sessions.Open) session.Connection.Close();
        // A store that may still be written to stays locked until the process ends.
        if (await StopStreamsAsync().ConfigureAwait(false)) _storeLock?.Dispose();
        foreach (var extension in _extensions) await extension.DisposeAsync().ConfigureAwait(false);
        if (_operatorMode is not null) await _operatorMode.DisposeAsync().ConfigureAwait(false);
        _engine.Dispose();
        _calloutKeys?.Dispose();
        _stopping.Dispose();
        if (_isServing) BrokerLog.Exiting(_logger);
        _stopped.TrySetResult();
    }

    /// <summary>Applies changed options while clients stay connected. Either all changes are applied or none.</summary>
    /// <remarks>
    /// Users, tokens and permissions also apply to open connections: clients that are no longer allowed are disconnected, and
    /// subscriptions that are no longer allowed end with an error to their client. Limits apply from the next read on.
    /// The clock and the logger factory are not replaced.
    /// </remarks>
    /// <param name="options">All options, not only what changed.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/>: an option is invalid, or a change
    /// needs a restart, such as that of an address; the message names it.</exception>
    public void Reload(BrokerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        lock (_reloadGate)
        {
            var before = _context.Options;
            var chosen = options with { TimeProvider = before.TimeProvider, LoggerFactory = before.LoggerFactory };
            chosen.Validate();
            SubjectMappings.Validate(chosen);
            SharingValidator.Validate(chosen);
            OperatorModeHost.Complete(chosen);
            var certificates = BrokerCertificates.Load(chosen);
            BrokerReload.Apply(_context, chosen, certificates, _listener?.EndPoint.Port ?? 0);
            if (chosen.Cluster is { } cluster) _routes?.Reload(cluster, certificates.Cluster);
            _leafs.Reload(chosen.LeafNodes, certificates.LeafNodes);
            _operatorMode?.Reload();
            if (chosen.JetStream is { } streams) _jetStream?.Storage.Raise(streams);
            _report.ConfiguredAt = _context.Time.GetUtcNow();
        }
    }

    /// <summary>
    /// Shuts down gradually: stops accepting clients, tells clients to reconnect elsewhere, closes them one by one over
    /// <see cref="BrokerOptions.LameDuckDuration"/>, then stops.
    /// </summary>
    /// <returns>Completes when the broker has stopped.</returns>
    public async Task EnterLameDuckModeAsync()
    {
        if (Interlocked.CompareExchange(ref _state, 1, 0) != 0)
        {
            await _stopped.Task.ConfigureAwait(false);
            return;
        }
        BrokerLog.LameDuck(_logger);
        await StopListeningAsync().ConfigureAwait(false);
        // Clients must not come back here.
        _context.Info = _context.Info with { LameDuckMode = true, ConnectUrls = null, WebSocketConnectUrls = null };
        _context.Events?.EnterLameDuckMode();
        _routes?.EnterLameDuckMode();
        foreach (var session in _context.Sessions.Open) session.SendInfo();
        try
        {
            await CloseOneByOneAsync(_stopping.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // StopAsync was called meanwhile and closes the rest.
        }
        await StopAsync().ConfigureAwait(false);
    }

    /// <summary>Stops the broker.</summary>
    public async ValueTask DisposeAsync() => await StopAsync().ConfigureAwait(false);

    private void ReloadOnRequest()
    {
        if (ReloadHandler is not { } handler) throw new BrokerException(BrokerError.InvalidConfiguration, "can only reload config when a file is provided using -c or --config");
        handler();
    }

    private static string TemporaryFolder => Path.Combine(Path.GetTempPath(), "nats");

    private JetStreamEngine CreateJetStream(JetStreamOptions streams, SendBatchSet batches, ServerInfo info)
    {
        var folder = Path.Combine(streams.StoreDirectory ?? TemporaryFolder, "jetstream");
        return new JetStreamEngine(
            streams, _context.Time, batches, info.ServerName, ReferenceVersion, _logger, new DiskFolder(folder), new ConsumerRegistry())
        {
            MaxPendingBytes = _context.Options.MaxPendingBytes,
        };
    }

    private void Announce()
    {
        BrokerLog.Starting(_logger, "postrider", ProductVersion.Text);
        BrokerLog.Version(_logger, ReferenceVersion);
        BrokerLog.Name(_logger, _context.Info.ServerName);
        BrokerLog.Id(_logger, _context.Info.ServerId);
        if (_context.Options.ConfigurationFile is { } file) BrokerLog.Configuration(_logger, file, _context.Options.ConfigurationDigest ?? "");
        foreach (var warning in _context.Options.FindWarnings()) BrokerLog.OptionsWarning(_logger, warning);
        if (_context.Options.JetStream is { Enabled: true, StoreDirectory: null }) BrokerLog.TemporaryStore(_logger, TemporaryFolder, _context.Options.NameOf("JetStream.StoreDirectory"));
    }

    // Clients are accepted only when the streams are recovered; an address in use is reported before that.
    private void CheckAddress()
    {
        if (!_context.Options.Listen || _context.Options.Port == BrokerOptions.RandomPort) return;
        var address = new IPEndPoint(Resolve(_context.Options.Host), _context.Options.Port);
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (address.Address.Equals(IPAddress.IPv6Any)) socket.DualMode = true;
            socket.Bind(address);
        }
        catch (SocketException error)
        {
            throw CannotListen(error);
        }
    }

    private void Begin()
    {
        if (_context.Options.Listen)
        {
            var address = Resolve(_context.Options.Host);
            var port = _context.Options.Port == BrokerOptions.RandomPort ? 0 : _context.Options.Port;
            try
            {
                _listener = Listener.Start(new IPEndPoint(address, port), _engine, Accept, error => BrokerLog.AcceptFailed(_logger, error.Message));
            }
            catch (SocketException error)
            {
                throw CannotListen(error);
            }
            BrokerReload.Announce(_context, _listener.EndPoint.Port);
            BrokerLog.Listening(_logger, $"{_context.Options.Host}:{_listener.EndPoint.Port}");
            AnnounceTls();
        }
        BeginWebSockets();
        _leafs.Begin(Resolve);
        _routes?.Begin(Resolve, EndPoint);
    }

    private void BeginWebSockets()
    {
        if (_context.Options.WebSocket is not { } options) return;
        var port = options.Port == BrokerOptions.RandomPort ? 0 : options.Port;
        try
        {
            _webSocketListener = Listener.Start(
                new IPEndPoint(Resolve(options.Host), port), _engine, AcceptWebSocket, error => BrokerLog.AcceptFailed(_logger, error.Message));
        }
        catch (SocketException error)
        {
            throw new BrokerException(
                BrokerError.CannotListen, $"Unable to listen for websocket connections on {options.Host}:{options.Port}: {error.Message}. Choose another port.", error);
        }
        _context.WebSocketPort = _webSocketListener.EndPoint.Port;
        BrokerReload.Announce(_context, _listener?.EndPoint.Port ?? 0);
        var isSecure = options.Tls is not null;
        BrokerLog.ListeningWebSocket(_logger, $"{(isSecure ? "wss" : "ws")}://{options.Host}:{_webSocketListener.EndPoint.Port}");
        if (!isSecure) BrokerLog.WebSocketWithoutTls(_logger);
    }

    private async Task StopListeningAsync()
    {
        _connector.Close();
        if (_listener is not null) await _listener.DisposeAsync().ConfigureAwait(false);
        if (_webSocketListener is not null) await _webSocketListener.DisposeAsync().ConfigureAwait(false);
        await _leafs.StopListeningAsync().ConfigureAwait(false);
        if (_routes is not null) await _routes.StopListeningAsync().ConfigureAwait(false);
    }

    private void AcceptWebSocket(Connection connection) => WebSocketHandshake.Accept(connection, _context, _context.WebSocket!);

    private void AnnounceTls()
    {
        if (_context.Options.Tls is not { } tls) return;
        var isFirstOnly = tls.HandshakeFirst && tls.HandshakeFirstFallback <= TimeSpan.Zero;
        if (_context.Options.AllowNonTls && !isFirstOnly) BrokerLog.TlsAvailable(_logger);
        else BrokerLog.TlsRequired(_logger);
        if (isFirstOnly) BrokerLog.TlsFirstOnly(_logger);
    }

    private BrokerException CannotListen(SocketException error) => new(
        BrokerError.CannotListen,
        $"Cannot listen on {_context.Options.Host}:{_context.Options.Port}: {error.Message}. Choose another port with {_context.Options.NameOf(nameof(BrokerOptions.Port))}, or -1 for a free one.",
        error);

    private void FindStreams()
    {
        if (_jetStream is null || _recovery is null) return;
        try
        {
            _recovery.Find();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new BrokerException(BrokerError.CannotReadStore, $"Cannot read the streams in {_jetStream.Root.Path}: {error.Message}", error);
        }
    }

    // Clients are served meanwhile; only requests that concern streams wait.
    private async Task RecoverAsync()
    {
        if (_recovery is null) return;
        await Task.Run(_recovery.Recover).ConfigureAwait(false);
    }

    private void Accept(Connection connection)
    {
        // Connections within one process cannot be eavesdropped on.
        var session = _context.Tls is { } tls && !connection.IsInMemory
            ? SessionHandshake.CreateSession(connection, _context, tls)
            : new ClientSession(connection, _context);
        session.Start();
    }

    private async Task WaitUntilEmptyAsync()
    {
        try
        {
            await Task.WhenAll(_context.Sessions.Open.Select(static session => session.Ended)).WaitAsync(FlushOnStop).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // Clients that do not read are closed without their pending messages.
        }
    }

    // A blocked stream (an unresponsive disk, a defect) must not keep the process alive: its files are left as after a kill.
    private async Task<bool> StopStreamsAsync()
    {
        if (_jetStream is not { } streams) return true;
        var stopping = Task.Factory.StartNew(streams.Stop, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        while (true)
        {
            var closed = streams.ClosedStreams;
            try
            {
                await stopping.WaitAsync(CloseLimit).ConfigureAwait(false);
                return true;
            }
            catch (TimeoutException) when (!stopping.IsCompleted)
            {
                if (streams.ClosedStreams > closed) continue;
                BrokerLog.StreamsLeftOpen(_logger, CloseLimit.TotalSeconds);
                return false;
            }
        }
    }

    private async Task CloseOneByOneAsync(CancellationToken ct)
    {
        var time = _context.Time;
        var sessions = _context.Sessions.Open.ToArray();
        if (sessions.Length == 0) return;
        await Task.Delay(TimerDue.NoLonger(_context.Options.LameDuckGracePeriod), time, ct).ConfigureAwait(false);
        BrokerLog.ClosingClients(_logger);
        var spread = (_context.Options.LameDuckDuration - _context.Options.LameDuckGracePeriod) / sessions.Length;
        if (spread > TimeSpan.FromSeconds(1)) spread = TimeSpan.FromSeconds(1);
        foreach (var session in sessions)
        {
            session.End(ClosedState.ServerShutdown, null);
            if (spread > TimeSpan.FromMilliseconds(1)) await Task.Delay(spread, time, ct).ConfigureAwait(false);
        }
    }

    private static IPAddress Resolve(string host)
    {
        // A socket on all IPv6 addresses accepts IPv4 too; nats-server listens that way on 0.0.0.0.
        if (IPAddress.TryParse(host, out var literal)) return literal.Equals(IPAddress.Any) && Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : literal;
        try
        {
            return Dns.GetHostAddresses(host).OrderBy(static address => address.AddressFamily == AddressFamily.InterNetwork ? 0 : 1).First();
        }
        catch (SocketException error)
        {
            throw new BrokerException(BrokerError.CannotListen, $"Cannot listen on {host}: {error.Message}. Use an address of this machine.", error);
        }
    }

    private static string ReachableHost(IPEndPoint endPoint)
    {
        if (MachineAddresses.IsWildcard(endPoint.Address)) return "127.0.0.1";
        return endPoint.AddressFamily == AddressFamily.InterNetworkV6 ? $"[{endPoint.Address}]" : endPoint.Address.ToString();
    }
}

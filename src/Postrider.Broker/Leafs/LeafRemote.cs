using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Postrider.Broker.Accounts;
using Postrider.Broker.Peers;
using Postrider.Sockets;
using Postrider.Sockets.WebSockets;

namespace Postrider.Broker.Leafs;

/// <summary>Maintains a connection to one remote: connects, waits until it ends, and connects again.</summary>
/// <remarks>Thread-safe. Source: nats-server, remotes of leaf nodes.</remarks>
internal sealed class LeafRemote : IAsyncDisposable
{
    // Maximum number of addresses that a remote announced, in addition to the configured ones.
    private const int MaxDiscovered = 64;

    private readonly LeafContext _context;
    private readonly IConnector _connector;
    private readonly LeafAddress[] _configured;
    private readonly CancellationTokenSource _stopping = new();

    // Guards the addresses, the delay and the session.
    private readonly Lock _gate = new();
    private readonly Queue<LeafAddress> _rotation;
    private readonly Queue<LeafAddress> _discovered = new();
    private TimeSpan _delay;
    private bool _wasDiscovered;
    private volatile bool _hasRequiredTls;
    private LeafSession? _session;
    private Task? _running;

    /// <summary>Creates a remote that does not connect yet.</summary>
    /// <param name="context">The broker's context for leaf nodes.</param>
    /// <param name="connector">Opens its connections.</param>
    /// <param name="options">Valid options.</param>
    /// <param name="account">The account that is connected.</param>
    public LeafRemote(LeafContext context, IConnector connector, LeafRemoteOptions options, Account account)
    {
        (_context, _connector, Options, Account) = (context, connector, options, account);
        _configured = [.. options.Urls.Select(static url => LeafAddress.TryParse(url, out var address, out _) ? address : null).OfType<LeafAddress>()];
        if (!options.NoRandomize) Random.Shared.Shuffle(_configured);
        _rotation = new Queue<LeafAddress>(_configured);
    }

    /// <summary>The options.</summary>
    public LeafRemoteOptions Options { get; }

    /// <summary>The account that is connected.</summary>
    public Account Account { get; }

    /// <summary>The address of the last attempt; null before the first.</summary>
    public LeafAddress? Current { get; private set; }

    /// <summary>Whether the connection must be encrypted: the options say so, or the remote required it once.</summary>
    public bool RequiresTls => _hasRequiredTls || Options.Tls is not null || Current is { IsTls: true };

    /// <summary>Whether the connection is a WebSocket.</summary>
    public bool IsWebSocket => _configured is [{ IsWebSocket: true }, ..];

    /// <summary>Maximum time for the TLS handshake.</summary>
    public TimeSpan TlsTimeout => Options.Tls?.Timeout ?? new LeafTlsOptions().Timeout;

    /// <summary>Begins to connect.</summary>
    public void Start()
    {
        if (Options.Tls is { Insecure: true }) LeafLog.Insecure(_context.Logger);
        _running = Task.Run(RunAsync);
    }

    /// <summary>Delays the next attempt.</summary>
    public void DelayNext(TimeSpan delay)
    {
        lock (_gate) _delay = delay;
    }

    /// <summary>Requires TLS of this and all later connections, because the remote requires it: otherwise one that stands in for it could receive the password in plaintext.</summary>
    public void RequireTls() => _hasRequiredTls = true;

    /// <summary>Replaces the addresses that the remote announced. Configured addresses remain at least every second that is tried.</summary>
    /// <param name="urls">Addresses of the form <c>host:port</c>; the first 64 are used.</param>
    /// <param name="isTls">Whether they must be encrypted.</param>
    public void SetDiscovered(IEnumerable<string> urls, bool isTls)
    {
        lock (_gate)
        {
            _discovered.Clear();
            foreach (var url in urls.Take(MaxDiscovered))
            {
                var scheme = IsWebSocket ? RequiresTls ? "wss" : "ws" : isTls || RequiresTls ? "tls" : "nats-leaf";
                if (!LeafAddress.TryParse($"{scheme}://{url}", out var found, out _) || MachineAddresses.IsWildcard(found.Host)) continue;
                if (_configured.Concat(_discovered).Any(known => known.HostAndPort == found.HostAndPort)) continue;
                _discovered.Enqueue(found with { User = _configured[0].User, Password = _configured[0].Password });
            }
        }
    }

    /// <summary>Creates the options of a TLS handshake; reads the files.</summary>
    /// <exception cref="TlsFileException">A file cannot be used; the message names it.</exception>
    public SslClientAuthenticationOptions CreateTlsOptions()
    {
        var created = new SslClientAuthenticationOptions
        {
            // An IP address that was announced has the certificate of the configured host name.
            TargetHost = IPAddress.TryParse(Current!.Host, out _) && _configured.FirstOrDefault(static address => !IPAddress.TryParse(address.Host, out _)) is { } named ? named.Host : Current.Host,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            AllowRenegotiation = false,
        };
        if (Options.Tls is not { } tls) return created;
        if (tls.MinVersion == System.Security.Authentication.SslProtocols.Tls13) created.EnabledSslProtocols = tls.MinVersion;
#pragma warning disable CA5359 // Asked for by name, and documented as such.
        if (tls.Insecure) created.RemoteCertificateValidationCallback = static (_, _, _, _) => true;
#pragma warning restore CA5359
        var authorities = tls.CaFile is { Length: > 0 } file ? PemFiles.ReadAuthorities(file) : tls.CaCertificates;
        if (authorities is not null)
        {
            created.CertificateChainPolicy = new X509ChainPolicy { RevocationMode = X509RevocationMode.NoCheck, TrustMode = X509ChainTrustMode.CustomRootTrust };
            created.CertificateChainPolicy.CustomTrustStore.AddRange(authorities);
        }
        if (tls is { CertFile: { Length: > 0 } certFile, KeyFile: { Length: > 0 } keyFile }) created.ClientCertificateContext = PemFiles.ReadPair(certFile, keyFile, "");
        return created;
    }

    /// <summary>Ends the connection and does not reconnect.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        LeafSession? session;
        lock (_gate) session = _session;
        session?.End(Sessions.ClosedState.ClientClosed, null);
        if (_running is not null) await _running.ConfigureAwait(false);
        _stopping.Dispose();
    }

    private async Task RunAsync()
    {
        var attempts = 0;
        try
        {
            while (true)
            {
                await DelayAsync().ConfigureAwait(false);
                var address = Next();
                if (await TryConnectAsync(address, ++attempts).ConfigureAwait(false) is not { } session)
                {
                    await Task.Delay(_context.Options.ReconnectInterval * (1 + Random.Shared.NextDouble()), _context.Time, _stopping.Token).ConfigureAwait(false);
                    continue;
                }
                attempts = 0;
                await session.Ended.ConfigureAwait(false);
                lock (_gate) _session = null;
                await Task.Delay(_context.Options.ReconnectInterval, _context.Time, _stopping.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // Removed, or the broker stops.
        }
    }

    private async Task DelayAsync()
    {
        TimeSpan delay;
        lock (_gate) (delay, _delay) = (_delay, TimeSpan.Zero);
        if (delay > TimeSpan.Zero) await Task.Delay(delay, _context.Time, _stopping.Token).ConfigureAwait(false);
    }

    // Configured and announced addresses alternate, each in their order.
    private LeafAddress Next()
    {
        lock (_gate)
        {
            _wasDiscovered = Current is not null && !_wasDiscovered && _discovered.Count > 0;
            var addresses = _wasDiscovered ? _discovered : _rotation;
            var next = addresses.Dequeue();
            addresses.Enqueue(next);
            Current = next;
            return next;
        }
    }

    private async Task<LeafSession?> TryConnectAsync(LeafAddress address, int attempt)
    {
        LeafLog.Connecting(_context.Logger, address.HostAndPort);
        using var timeout = new CancellationTokenSource(Options.DialTimeout ?? _context.Options.DialTimeout, _context.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, _stopping.Token);
        try
        {
            var connection = await _connector.ConnectAsync(address.Host, address.Port, either.Token).ConfigureAwait(false);
            if (Options.Tls is { HandshakeFirst: true } || (address.IsWebSocket && RequiresTls)) connection = TlsConnection.CreateClient(connection, CreateTlsOptions(), TlsTimeout);
            if (address.IsWebSocket) connection = WebSocketConnection.CreateClient(connection, CreateWebSocketOptions(address));
            var session = new LeafSession(connection, _context, this);
            lock (_gate) _session = session;
            session.Start();
            // The broker is stopping, and the stop may have missed this session.
            if (_stopping.IsCancellationRequested) session.End(Sessions.ClosedState.ServerShutdown, null);
            return session;
        }
        catch (Exception error) when (error is SocketException or TlsFileException or ObjectDisposedException)
        {
            LeafLog.ConnectFailed(_context.Logger, GoQuote.Quote(address.HostAndPort), attempt, error.Message);
            return null;
        }
        catch (OperationCanceledException) when (!_stopping.IsCancellationRequested)
        {
            LeafLog.ConnectFailed(_context.Logger, GoQuote.Quote(address.HostAndPort), attempt, $"no connection within {GoDuration.Format(Options.DialTimeout ?? _context.Options.DialTimeout)}");
            return null;
        }
    }

    private WebSocketClientOptions CreateWebSocketOptions(LeafAddress address) => new()
    {
        Host = address.HostAndPort,
        Target = address.Path,
        Compression = Options.WebSocketCompression,
        NoMasking = Options.WebSocketNoMasking,
        HandshakeTimeout = Options.FirstInfoTimeout + (RequiresTls ? TlsTimeout : TimeSpan.Zero),
    };
}

using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>Maintains the connections that the broker solicits: to configured servers, and to those that other servers announce.</summary>
/// <remarks>Thread-safe. Source: nats-server, route protocol.</remarks>
internal sealed class RouteDialer : IAsyncDisposable
{
    private static readonly TimeSpan DialTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan ConnectDelay = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxConnectDelay = TimeSpan.FromSeconds(30);

    // Servers announce each other; this limits how many addresses a malicious server can have tried at a time.
    private const int MaxImplicit = 1024;

    private readonly RouteContext _context;
    private readonly IConnector _connector;
    private readonly CancellationTokenSource _stopping = new();

    // Guards the targets and their tasks.
    private readonly Lock _gate = new();
    private readonly Dictionary<string, RouteTarget> _targets = new(StringComparer.Ordinal);
    private readonly HashSet<Task> _running = [];

    public RouteDialer(RouteContext context, IConnector connector)
    {
        (_context, _connector) = (context, connector);
        context.Announced = ConnectToAnnounced;
        context.PinnedChanged = Update;
    }

    /// <summary>Connects to the configured servers, and stops connecting to those that were removed.</summary>
    public void Update()
    {
        var wanted = new Dictionary<string, (RouteAddress Address, string? Account)>(StringComparer.Ordinal);
        foreach (var url in _context.Options.Routes)
        {
            if (!RouteAddress.TryParse(url, out var address, out _)) continue;
            foreach (var account in (string?[])[null, .. _context.Pinned]) wanted[KeyOf(url, account, isExplicit: true)] = (address, account);
        }
        lock (_gate)
        {
            foreach (var (key, target) in _targets.Where(pair => pair.Value.IsExplicit && !wanted.ContainsKey(pair.Key)).ToArray())
            {
                _targets.Remove(key);
                target.Stopping.Cancel();
                foreach (var session in _context.Registry.Open.Where(session => ReferenceEquals(session.Target, target))) session.End(Sessions.ClosedState.ClientClosed, null);
            }
            foreach (var (key, (address, account)) in wanted)
                if (!_targets.ContainsKey(key)) Start(key, new RouteTarget(address, account, isExplicit: true, gossipMode: 0));
        }
    }

    /// <summary>Restarts the connections of the pool after its size has changed. The caller ends the open ones.</summary>
    public void Restart()
    {
        lock (_gate)
        {
            foreach (var (key, target) in _targets.Where(static pair => pair.Value.Account is null).ToArray())
            {
                target.Stopping.Cancel();
                Start(key, new RouteTarget(target.Address, account: null, target.IsExplicit, target.GossipMode));
            }
        }
    }

    /// <summary>Stops connecting for an account. The caller ends open connections.</summary>
    public void Forget(string account)
    {
        lock (_gate)
        {
            foreach (var (key, target) in _targets.Where(pair => pair.Value.Account == account).ToArray())
            {
                _targets.Remove(key);
                target.Stopping.Cancel();
            }
        }
    }

    /// <summary>Stops connecting. The caller ends open connections.</summary>
    public async ValueTask DisposeAsync()
    {
        Task[] running;
        lock (_gate)
        {
            _stopping.Cancel();
            running = [.. _running];
        }
        await Task.WhenAll(running).ConfigureAwait(false);
        _stopping.Dispose();
    }

    private static string KeyOf(string address, string? account, bool isExplicit) => $"{(isExplicit ? "configured" : "announced")} {address} {account}";

    // Called with the lock held.
    private void Start(string key, RouteTarget target)
    {
        if (_stopping.IsCancellationRequested) return;
        _targets[key] = target;
        Run(key, target);
    }

    private void Run(string key, RouteTarget target)
    {
        var task = Task.Run(() => RunAsync(key, target));
        _running.Add(task);
        _ = task.ContinueWith(
            done =>
            {
                lock (_gate) _running.Remove(done);
            },
            TaskScheduler.Default);
    }

    private void ConnectToAnnounced(ServerInfo info)
    {
        var options = _context.Options;
        var account = string.IsNullOrEmpty(info.RouteAccount) ? null : info.RouteAccount;
        if (account is not null && !_context.IsPinned(account)) return;
        if (!RouteAddress.TryParse(info.Ip ?? "", out var address, out _)) return;
        var (first, second) = ($"{info.Host}:{info.Port}", $"{address.Host}:{info.Port}");
        var isConfigured = options.Routes.Any(url => RouteAddress.TryParse(url, out var known, out _)
            && (string.Equals(known.HostAndPort, first, StringComparison.OrdinalIgnoreCase) || string.Equals(known.HostAndPort, second, StringComparison.OrdinalIgnoreCase)));
        if (isConfigured) return;
        if (info.AuthRequired) address = address with { User = options.User, Password = options.Password };
        var key = KeyOf(address.HostAndPort, account, isExplicit: false);
        lock (_gate)
        {
            if (_targets.ContainsKey(key) || _targets.Count >= MaxImplicit) return;
            Start(key, new RouteTarget(address, account, isExplicit: false, info.GossipMode));
        }
    }

    private async Task RunAsync(string key, RouteTarget target)
    {
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token, target.Stopping.Token);
            await KeepAsync(key, target, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The target was removed, or the broker stops.
        }
        target.RemoveConnection();
        if (target.IsExplicit) return;
        lock (_gate)
        {
            if (target.HasNoConnections && _targets.TryGetValue(key, out var known) && ReferenceEquals(known, target)) _targets.Remove(key);
        }
    }

    private async Task KeepAsync(string key, RouteTarget target, CancellationToken ct)
    {
        var (attempts, delay) = (0, ConnectDelay);
        while (true)
        {
            if (await TryConnectAsync(target, attempts + 1, ct).ConfigureAwait(false) is not { } session)
            {
                attempts++;
                if (!target.IsExplicit && attempts > _context.Options.ConnectRetries) return;
                await DelayAsync(delay, ct).ConfigureAwait(false);
                if (_context.Options.ConnectBackoff && delay < MaxConnectDelay) delay *= 2;
                continue;
            }
            (attempts, delay) = (0, ConnectDelay);
            if (await session.Confirmed.ConfigureAwait(false)) AddConnection(key, target, session);
            await session.Ended.ConfigureAwait(false);
            if (session.Refusal is RouteRefusal.Self or RouteRefusal.Impossible) return;
            if (session.Refusal == RouteRefusal.Duplicate)
            {
                // Both servers may have rejected each other's connection: the first one is kept.
                while (!_context.Registry.HasPlace(session.RemoteId, target.Account, out var freed, out _)) await freed.WaitAsync(ct).ConfigureAwait(false);
            }
            await DelayAsync(ConnectDelay / 4, ct).ConfigureAwait(false);
        }
    }

    // One after the other, so that a server that rejects one connection is not tried for all.
    private void AddConnection(string key, RouteTarget target, RouteSession session)
    {
        if (target.Account is not null || session.IsWithoutPool) return;
        if (!_context.Registry.HasPlace(session.RemoteId, null, out _, out var size) || !target.TryAddConnection(size)) return;
        lock (_gate)
        {
            if (!_stopping.IsCancellationRequested) Run(key, target);
        }
    }

    // Up to three times as long, so that two servers that connect to each other do not collide again.
    private Task DelayAsync(TimeSpan delay, CancellationToken ct) => Task.Delay(delay * (1 + (2 * Random.Shared.NextDouble())), _context.Time, ct);

    private async Task<RouteSession?> TryConnectAsync(RouteTarget target, int attempt, CancellationToken ct)
    {
        var address = target.Address;
        RouteLog.Connecting(_context.Logger, address.HostAndPort);
        using var timeout = new CancellationTokenSource(DialTimeout, _context.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, ct);
        try
        {
            var connection = await _connector.ConnectAsync(address.Host, address.Port, either.Token).ConfigureAwait(false);
            if (_context.Tls is { } tls) connection = TlsConnection.CreateClient(connection, CreateTlsOptions(tls, address), tls.Options.Timeout);
            var session = new RouteSession(connection, _context, target);
            session.Start();
            // The stop, or the removal of the target, may have missed this session.
            if (ct.IsCancellationRequested) session.End(Sessions.ClosedState.ServerShutdown, null);
            return session;
        }
        catch (Exception error) when (error is SocketException or TlsFileException or ObjectDisposedException)
        {
            RouteLog.ConnectFailed(_context.Logger, attempt, address.HostAndPort, error.Message);
            return null;
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            RouteLog.ConnectFailed(_context.Logger, attempt, address.HostAndPort, $"no connection within {GoDuration.Format(DialTimeout)}");
            return null;
        }
    }

    private SslClientAuthenticationOptions CreateTlsOptions(TlsMaterial tls, RouteAddress address)
    {
        var options = tls.CreateClientOptions();
        // An IP address that was announced has the certificate of a configured host name.
        options.TargetHost = IPAddress.TryParse(address.Host, out _) ? FirstName() ?? address.Host : address.Host;
        return options;
    }

    private string? FirstName() => _context.Options.Routes
        .Select(static url => RouteAddress.TryParse(url, out var address, out _) ? address.Host : null)
        .FirstOrDefault(static host => host is not null && !IPAddress.TryParse(host, out _));
}

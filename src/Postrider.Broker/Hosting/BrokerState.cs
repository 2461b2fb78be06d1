using System.Net;
using System.Net.Security;
using System.Text.Json.Nodes;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Monitoring;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Leafs;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Routes;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Broker.Subjects;
using Postrider.Broker.Trust;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Hosting;

/// <summary>The broker's state for monitoring, read on demand.</summary>
internal sealed class BrokerState(SessionContext context, DateTimeOffset startedAt, Func<int> clientPort) : IBrokerState
{
    // Each import has up to 131,072 pending requests: showing all of them would delay other requests.
    private const int MaxPending = 1024;

    public BrokerOptions Options => context.Options;

    public string ServerId => context.Info.ServerId;

    public string ServerName => context.Info.ServerName;

    public DateTimeOffset StartedAt { get; } = startedAt;

    public DateTimeOffset ConfiguredAt { get; set; } = startedAt;

    public int ClientPort => clientPort();

    public IReadOnlyList<string> ConnectUrls => context.Info.ConnectUrls ?? [];

    public int WebSocketPort => context.WebSocketPort;

    public DateTimeOffset? WebSocketCertificateNotAfter => context.WebSocket?.Tls?.NotAfter;

    public int LeafNodePort => Leafs?.EndPoint?.Port ?? 0;

    public DateTimeOffset? LeafNodeCertificateNotAfter => Leafs?.CertificateNotAfter;

    public DateTimeOffset? TlsCertificateNotAfter => context.Tls?.NotAfter;

    public SslServerAuthenticationOptions? MonitoringTls => context.Tls?.ForMonitoring;

    public string? HealthProblem
    {
        get => field ?? (JetStream is { OfflineStreams: > 0 and var count } ? $"JetStream took {count} streams out of service" : JetStream?.Progress.Describe());
        set;
    }

    public string? HealthWarning => JetStream?.Progress.DescribeWarnings();

    /// <summary>Connects clients of this process.</summary>
    public required MemoryConnector Connector { get; init; }

    /// <summary>The streams; null where JetStream is disabled.</summary>
    public JetStreamEngine? JetStream { get; set; }

    /// <summary>The accounts that tokens describe; null outside of operator mode.</summary>
    public TrustedAccounts? TrustedAccounts { get; set; }

    /// <summary>The leaf nodes.</summary>
    public LeafHost? Leafs { get; set; }

    /// <summary>The routes; null without a cluster.</summary>
    public RouteHost? Cluster { get; set; }

    public Connection? ConnectClient(IPEndPoint client) => Connector.Connect(client);

    public string ClusterName => Cluster?.Name ?? "";

    public int ClusterPort => Cluster?.EndPoint?.Port ?? 0;

    public DateTimeOffset? ClusterCertificateNotAfter => Cluster?.CertificateNotAfter;

    public IReadOnlyList<RouteState> Routes(bool withSubscriptions) => Cluster?.Read(withSubscriptions) ?? [];

    public IReadOnlyList<LeafState> LeafNodes(bool withSubscriptions) => Leafs?.Read(withSubscriptions) ?? [];

    public JetStreamState? ReadJetStream() => JetStream is null ? null : JetStreamStateMapper.Read(JetStream);

    public JsonArray? ReadJetStreamDetails(JszQuery query) => JetStream is null ? null : JetStreamDetails.Read(JetStream, query);

    public string? SystemAccount => context.Accounts.System?.Name;

    public BrokerCounters ReadCounters()
    {
        var counters = context.Sessions.Sum(context.Accounts.All.Sum(static account => account.Subscriptions.Count));
        if (Cluster is not null)
        {
            var routes = Cluster.Registry.Sum();
            counters = counters with { RouteInMessages = routes.InMessages, RouteInBytes = routes.InBytes, RouteOutMessages = routes.OutMessages, RouteOutBytes = routes.OutBytes };
        }
        if (Leafs is null) return counters;
        var (inMessages, inBytes, outMessages, outBytes) = Leafs.Registry.Sum();
        return counters with { LeafInMessages = inMessages, LeafInBytes = inBytes, LeafOutMessages = outMessages, LeafOutBytes = outBytes };
    }

    /// <summary>One account's state.</summary>
    public AccountState ReadAccount(Account account)
        => AccountStateMapper.Read(
            account,
            context.Sessions.Open.Where(session => ReferenceEquals(session.State.Account, account)),
            OpenLeafNodes().Where(session => ReferenceEquals(session.Account, account)),
            OpenLinks().Where(link => ReferenceEquals(link.Account, account)),
            this);

    public IReadOnlyList<AccountState> ReadAccounts()
    {
        var open = context.Sessions.Open.ToLookup(static session => session.State.Account);
        var leafNodes = OpenLeafNodes().ToLookup(static session => session.Account);
        var links = OpenLinks().ToLookup(static link => link.Account);
        return [.. context.Accounts.All.Select(account => AccountStateMapper.Read(account, open[account], leafNodes[account], links[account], this))];
    }

    /// <summary>The pending requests of other accounts to an account, up to the number that is shown.</summary>
    public IEnumerable<PendingReply> ReadPending(Account account)
        => context.Accounts.All.SelectMany(static other => other.ReplyRoutes).Where(routes => ReferenceEquals(routes.Answering, account))
            .SelectMany(static routes => routes.Read(MaxPending)).Take(MaxPending);

    public IReadOnlyList<ConnectionInfo> OpenConnections(bool withSubscriptions)
        => [.. context.Sessions.Open.Select(session => SessionInfoMapper.Read(session, withSubscriptions)), .. OpenLeafNodes().Select(session => LeafInfoMapper.Read(session, withSubscriptions))];

    public IReadOnlyList<ConnectionInfo> ClosedConnections(bool withSubscriptions) => context.Sessions.Closed();

    public SubscriptionCounters ReadSubscriptionCounters(string? account)
    {
        Account[] accounts = account is null ? [.. context.Accounts.All] : context.Accounts.Find(account) is { } one ? [one] : [];
        if (accounts.Length == 0) return new SubscriptionCounters();
        var tree = account is null ? null : accounts[0].Subscriptions;
        var caches = context.Batches.All.Select(static batch => batch.Tag).OfType<MatchCache<Subscription>>().ToArray();
        var kept = caches.SelectMany(cache => cache.Kept(tree)).Select(static result => result.Plain.Count + result.Groups.Sum(static group => group.Count)).ToArray();
        // Look-ups are not counted per account: they are shown where the account is the only one.
        var isCounted = account is null || (context.Accounts.IsGlobalOnly && ReferenceEquals(accounts[0], context.Accounts.Global));
        var hits = isCounted ? caches.Sum(static cache => cache.Hits) : 0;
        var matches = hits + (isCounted ? caches.Sum(static cache => cache.Misses) : 0);
        return new SubscriptionCounters
        {
            Subscriptions = accounts.Sum(static one => one.Subscriptions.Count),
            Cached = kept.Length,
            Inserts = (ulong)accounts.Sum(static one => one.Subscriptions.Inserts),
            Removes = (ulong)accounts.Sum(static one => one.Subscriptions.Removes),
            Matches = (ulong)matches,
            CacheHitRate = matches == 0 ? 0 : (double)hits / matches,
            MaxFanout = kept.DefaultIfEmpty().Max(),
            AverageFanout = kept.DefaultIfEmpty().Average(),
        };
    }

    public IReadOnlyList<SubscriptionState> Subscriptions(string? account)
        => [.. context.Sessions.Open
            .Where(session => account is null || string.Equals(session.AccountName, account, StringComparison.Ordinal))
            .SelectMany(SessionInfoMapper.ReadSubscriptions)];

    private IEnumerable<LeafSession> OpenLeafNodes() => Leafs?.Registry.Registered ?? [];

    private IEnumerable<RouteLink> OpenLinks() => Cluster?.Registry.Open.SelectMany(static session => session.Links) ?? [];
}

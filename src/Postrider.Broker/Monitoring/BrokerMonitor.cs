using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;

namespace Postrider.Broker.Monitoring;

/// <summary>Builds the monitoring pages of a broker, independently of HTTP.</summary>
/// <remarks>Thread-safe.</remarks>
/// <param name="state">The broker.</param>
public sealed class BrokerMonitor(IBrokerState state)
{
    /// <summary>The version of nats-server whose behaviour the broker follows; clients and tools check it.</summary>
    public const string ServerVersion = "2.15.1";

    private const int ClientProtocol = 1;
    private const int DefaultSubscriptionLimit = 1024;
    private const string GlobalAccount = "$G";

    // All four concern features of clusters, or response formats that no client requests yet.
    internal static readonly SortedDictionary<string, bool> FeatureFlags = new(StringComparer.Ordinal)
    {
        ["js_ack_fc_v2"] = false,
        ["js_api_reply_v2"] = false,
        ["js_raft_delete_range"] = false,
        ["js_snapshot_sources"] = false,
    };

    private readonly ConcurrentDictionary<string, ulong> _requests = new(StringComparer.Ordinal);
    private readonly ProcessUsage _usage = new(state.Options.TimeProvider);

    /// <summary>The limits of JetStream; null if it is disabled.</summary>
    internal JetStreamLimits? Limits => state.Options.JetStream is { Enabled: true } options ? JetStreamLimits.Of(options) : null;

    private DateTimeOffset Now => state.Options.TimeProvider.GetUtcNow();

    /// <summary>Counts a request for a page, for <see cref="VarzPage.HttpRequests"/>.</summary>
    /// <param name="path">The page's path, such as <c>/varz</c>.</param>
    public void CountRequest(string path) => _requests.AddOrUpdate(path, 1, static (_, count) => count + 1);

    /// <summary>The page <c>/varz</c>.</summary>
    public VarzPage ReadVarz()
    {
        var options = state.Options;
        var counters = state.ReadCounters();
        var (memory, cpu) = _usage.Read();
        var now = Now;
        return new VarzPage
        {
            ServerId = state.ServerId,
            ServerName = state.ServerName,
            Version = ServerVersion,
            ProductVersion = Monitoring.ProductVersion.Text,
            Protocol = ClientProtocol,
            Runtime = RuntimeInformation.FrameworkDescription,
            Host = options.Host,
            Port = state.ClientPort,
            AuthRequired = options.RequiresAuthentication,
            TlsRequired = options is { Tls: not null, AllowNonTls: false },
            TlsVerify = options.Tls is { RequiresCertificate: true },
            WebSocket = ReadWebSocket(),
            Cluster = new RoutePages(state).ReadVarz(),
            Leaf = new LeafPages(state).ReadVarz(),
            ConnectUrls = state.ConnectUrls.Count == 0 ? null : state.ConnectUrls,
            MaxConnections = options.MaxConnections,
            MaxSubscriptions = options.MaxSubscriptions,
            PingIntervalNanoseconds = Nanoseconds(options.PingInterval),
            MaxPingsOut = options.MaxPingsOut,
            HttpHost = options.Monitoring.Host ?? options.Host,
            HttpPort = options.Monitoring.Port,
            HttpBasePath = options.Monitoring.BasePath,
            AuthTimeoutSeconds = options.AuthTimeout.TotalSeconds,
            MaxControlLineBytes = options.MaxControlLineBytes,
            MaxPayloadBytes = options.MaxPayloadBytes,
            MaxPendingBytes = options.MaxPendingBytes,
            HttpsPort = options.Monitoring.HttpsPort,
            TlsTimeoutSeconds = (options.Tls ?? new()).Timeout.TotalSeconds,
            WriteDeadlineNanoseconds = Nanoseconds(options.WriteDeadline),
            JetStream = state.ReadJetStream() is { } jetStream ? new JetStreamVarz { Settings = jetStream.Settings, Use = jetStream.Use, Limits = Limits } : new JetStreamVarz(),
            Start = state.StartedAt.UtcDateTime,
            Now = now.UtcDateTime,
            Uptime = UptimeText.Format(now - state.StartedAt),
            MemoryBytes = memory,
            Cores = Environment.ProcessorCount,
            MaxProcessors = Environment.ProcessorCount,
            CpuPercent = cpu,
            Connections = counters.Connections,
            TotalConnections = counters.TotalConnections,
            Routes = state.Routes(withSubscriptions: false).Count,
            Remotes = options.LeafNodes?.Remotes.Count ?? 0,
            LeafNodes = state.LeafNodes(withSubscriptions: false).Count,
            InMessages = counters.InMessages + counters.LeafInMessages + counters.RouteInMessages,
            InBytes = counters.InBytes + counters.LeafInBytes + counters.RouteInBytes,
            InClientMessages = counters.InMessages,
            InClientBytes = counters.InBytes,
            OutMessages = counters.OutMessages + counters.LeafOutMessages + counters.RouteOutMessages,
            OutBytes = counters.OutBytes + counters.LeafOutBytes + counters.RouteOutBytes,
            OutClientMessages = counters.OutMessages,
            OutClientBytes = counters.OutBytes,
            SlowConsumers = counters.SlowConsumers,
            StaleConnections = counters.StaleConnections,
            StalledClients = counters.StalledClients,
            Subscriptions = counters.Subscriptions,
            HttpRequests = new SortedDictionary<string, ulong>(_requests, StringComparer.Ordinal),
            ConfigurationLoaded = state.ConfiguredAt.UtcDateTime,
            ConfigurationDigest = options.ConfigurationDigest ?? "",
            Tags = options.ServerTags.Count == 0 ? null : options.ServerTags,
            Metadata = options.ServerMetadata.Count == 0 ? null : options.ServerMetadata,
            SlowConsumersByKind = KindsOf(counters.SlowConsumers, counters.SlowRoutes, counters.SlowLeafNodes),
            StaleConnectionsByKind = KindsOf(counters.StaleConnections, counters.StaleRoutes, counters.StaleLeafNodes),
            FeatureFlags = FeatureFlags,
            SystemAccount = state.SystemAccount,
            DiskWaits = new(),
            TlsCertificateNotAfter = state.TlsCertificateNotAfter?.UtcDateTime,
        };
    }

    private static CountByKind KindsOf(long all, long routes, long leafNodes) => new() { Clients = all - routes - leafNodes, Routes = routes, LeafNodes = leafNodes };

    /// <summary>The page <c>/connz</c>.</summary>
    /// <param name="query">The query.</param>
    /// <param name="problem">Why the query cannot be answered; null when it was.</param>
    /// <returns>The page, or null with a problem.</returns>
    public ConnzPage? ReadConnz(ConnzQuery query, out string? problem)
    {
        problem = ConnectionSort.Problem(query.Sort, query.State)
            ?? (query is { FilterSubject.Length: > 0, Account.Length: 0 } ? "filter by subject only valid with account filtering" : null);
        if (problem is not null)
            return null;
        var connections = Select(query, out var total);
        var now = Now;
        ConnectionSort.Sort(connections, query.Sort, query.Reverse, now);
        var limit = query.ConnectionId > 0 ? 1 : query.Limit <= 0 ? ConnzQuery.DefaultLimit : query.Limit;
        var offset = Math.Max(0, query.Offset);
        var shown = connections.Skip(offset).Take(limit).Select(connection => Show(connection, query, now)).ToList();
        return new ConnzPage
        {
            ServerId = state.ServerId,
            Now = now.UtcDateTime,
            Count = shown.Count,
            Total = total,
            Offset = offset,
            Limit = limit,
            Connections = shown,
        };
    }

    /// <summary>The page <c>/subsz</c>.</summary>
    /// <param name="query">The query.</param>
    /// <param name="problem">Why the query cannot be answered; null when it was.</param>
    /// <returns>The page, or null with a problem.</returns>
    public SubszPage? ReadSubsz(SubszQuery query, out string? problem)
    {
        problem = query.Test.Length > 0 && !SubjectText.IsLiteral(query.Test)
            ? $"invalid test subject, must be valid publish subject: {query.Test}"
            : null;
        if (problem is not null)
            return null;
        var account = query.Account.Length == 0 ? null : query.Account;
        var counters = state.ReadSubscriptionCounters(account);
        var offset = Math.Max(0, query.Offset);
        var limit = query.Limit <= 0 ? DefaultSubscriptionLimit : query.Limit;
        var found = query.Subscriptions
            ? state.Subscriptions(account).Where(subscription => query.Test.Length == 0 || SubjectText.Matches(subscription.Subject, query.Test)).ToList()
            : [];
        var shown = found.Skip(offset).Take(limit).Select(subscription => SubscriptionDetail.Of(subscription, withAccount: true)).ToList();
        return new SubszPage
        {
            ServerId = state.ServerId,
            Now = Now.UtcDateTime,
            Subscriptions = counters.Subscriptions,
            Cached = counters.Cached,
            Inserts = counters.Inserts,
            Removes = counters.Removes,
            Matches = counters.Matches,
            CacheHitRate = counters.CacheHitRate,
            MaxFanout = counters.MaxFanout,
            AverageFanout = counters.AverageFanout,
            Total = found.Count,
            Offset = offset,
            Limit = limit,
            List = shown.Count == 0 ? null : shown,
        };
    }

    /// <summary>Reads the totals of all streams, and the details that the query selects.</summary>
    /// <param name="query">The query; null for the totals.</param>
    /// <returns>Null if JetStream is disabled.</returns>
    public JszPage? ReadJsz(JszQuery? query = null)
        => state.ReadJetStream() is not { } streams
            ? null
            : new JszPage
            {
                MemoryBytes = streams.Use.MemoryBytes,
                StoreBytes = streams.Use.StoreBytes,
                ReservedMemoryBytes = streams.Use.ReservedMemoryBytes,
                ReservedStoreBytes = streams.Use.ReservedStoreBytes,
                Accounts = streams.Use.Accounts,
                Api = streams.Use.Api,
                ServerId = state.ServerId,
                Now = Now.UtcDateTime,
                Settings = streams.Settings,
                Limits = Limits,
                Streams = streams.Streams,
                StreamsLeader = query is { Leaders: true } ? streams.Streams : 0,
                Consumers = streams.Consumers,
                ConsumersLeader = query is { Leaders: true } ? streams.Consumers : 0,
                Messages = streams.Messages,
                Bytes = streams.Bytes,
                ReadOnlyStreams = streams.ReadOnlyStreams,
                NotRecovered = streams.NotRecovered,
                Recovery = streams.Recovery,
                AccountDetails = query is { WantsDetails: true } ? state.ReadJetStreamDetails(query) : null,
                Total = streams.Use.Accounts,
            };

    /// <summary>The page of a feature that the broker does not have, as nats-server shows it when the feature is off.</summary>
    /// <param name="path">The path: <c>/routez</c>, <c>/gatewayz</c>, <c>/ipqueuesz</c> or <c>/jsz</c>.</param>
    /// <returns>Null for any other path.</returns>
    public JsonObject? ReadAbsent(string path) => new AbsentFeaturePages(state).Read(path);

    /// <summary>The page <c>/accountz</c>.</summary>
    /// <param name="account">The account to show in detail; empty for the names of all accounts.</param>
    /// <returns>Null when there is no such account.</returns>
    public JsonObject? ReadAccountz(string account) => new AccountPages(state).ReadAccountz(account);

    /// <summary>The page <c>/accstatz</c>.</summary>
    /// <param name="unused">Whether accounts without connections are shown.</param>
    public JsonObject ReadAccstatz(bool unused) => new AccountPages(state).ReadAccstatz(unused, []);

    /// <summary>The page <c>/routez</c>.</summary>
    /// <param name="withSubscriptions">Whether the subjects of the other servers' subscriptions are listed.</param>
    /// <param name="inDetail">Whether the subscriptions are listed in detail instead.</param>
    public RoutezPage ReadRoutez(bool withSubscriptions, bool inDetail = false) => new RoutePages(state).ReadRoutez(withSubscriptions, inDetail);

    /// <summary>The page <c>/leafz</c>.</summary>
    /// <param name="account">The account whose connections are shown; empty for all.</param>
    /// <param name="withSubscriptions">Whether the other servers' subscriptions are listed.</param>
    public LeafzPage ReadLeafz(string account, bool withSubscriptions) => new LeafPages(state).ReadLeafz(account, withSubscriptions);

    /// <summary>The page <c>/healthz</c>.</summary>
    /// <param name="query">What must exist; null to check the server only.</param>
    public HealthzPage ReadHealthz(HealthzQuery? query = null) => new HealthCheck(state).Read(query ?? new HealthzQuery());

    private WebSocketVarz ReadWebSocket()
    {
        if (state.Options.WebSocket is not { } options) return new WebSocketVarz();
        return new WebSocketVarz
        {
            Host = options.Host,
            Port = state.WebSocketPort,
            Advertise = options.Advertise,
            NoAuthUser = options.NoAuthUser,
            JwtCookie = options.JwtCookie,
            HandshakeTimeoutNanoseconds = Nanoseconds(options.HandshakeTimeout),
            AuthTimeoutSeconds = options.AuthTimeout?.TotalSeconds ?? 0,
            NoTls = options.NoTls,
            TlsMap = options.Tls is { VerifyAndMap: true },
            TlsPinnedCertificates = options.Tls?.PinnedCertificates is { Count: > 0 } pins ? pins : null,
            SameOrigin = options.SameOrigin,
            AllowedOrigins = options.AllowedOrigins is { Count: > 0 } origins ? origins : null,
            Compression = options.Compression,
            TlsCertificateNotAfter = state.WebSocketCertificateNotAfter?.UtcDateTime,
        };
    }

    private List<ConnectionInfo> Select(ConnzQuery query, out int total)
    {
        var withSubscriptions = query.Subscriptions || query.SubscriptionDetails || query.FilterSubject.Length > 0;
        IEnumerable<ConnectionInfo> all = query.State switch
        {
            ConnectionFilter.Open => state.OpenConnections(withSubscriptions),
            ConnectionFilter.Closed => state.ClosedConnections(withSubscriptions),
            _ => state.OpenConnections(withSubscriptions).Concat(state.ClosedConnections(withSubscriptions)),
        };
        if (query.Account.Length > 0)
            all = all.Where(connection => string.Equals(connection.Account, query.Account, StringComparison.Ordinal));
        if (query.Search.Length > 0)
            all = all.Where(connection => IsFound(connection, query.Search));
        if (query.FilterSubject.Length > 0)
            all = all.Where(connection => connection.Subscriptions?.Any(one => SubjectText.Matches(one.Subject, query.FilterSubject)) == true);
        var found = all.ToList();
        total = found.Count;
        if (query.ConnectionId > 0)
            found.RemoveAll(connection => connection.Id != query.ConnectionId);
        if (query.User.Length > 0)
            found.RemoveAll(connection => !string.Equals(connection.User, query.User, StringComparison.Ordinal));
        return found;
    }

    private static bool IsFound(ConnectionInfo connection, string text)
    {
        bool Has(string? value) => value?.Contains(text, StringComparison.OrdinalIgnoreCase) == true;
        return Has(connection.Name) || Has(connection.Account) || Has(connection.User) || Has(connection.Language)
            || Has(string.Create(CultureInfo.InvariantCulture, $"{connection.RemoteAddress}:{connection.RemotePort}"));
    }

    private static ConnzConnection Show(ConnectionInfo connection, ConnzQuery query, DateTimeOffset now)
    {
        var end = connection.StoppedAt ?? now;
        var subscriptions = connection.Subscriptions is { Count: > 0 } list ? list : null;
        return new ConnzConnection
        {
            Id = connection.Id,
            Kind = connection.Kind,
            Type = NullIfEmpty(connection.Type),
            RemoteAddress = connection.RemoteAddress,
            RemotePort = connection.RemotePort,
            Start = connection.StartedAt.UtcDateTime,
            LastActivity = connection.LastActivityAt.UtcDateTime,
            Stop = connection.StoppedAt?.UtcDateTime,
            Reason = connection.CloseReason,
            RoundTrip = GoDuration.Format(connection.RoundTrip),
            Uptime = UptimeText.Format(end - connection.StartedAt),
            Idle = UptimeText.Format(end - connection.LastActivityAt),
            PendingBytes = connection.PendingBytes,
            InMessages = connection.InMessages,
            OutMessages = connection.OutMessages,
            InBytes = connection.InBytes,
            OutBytes = connection.OutBytes,
            Stalls = connection.Stalls,
            SubscriptionCount = connection.SubscriptionCount,
            Name = NullIfEmpty(connection.Name),
            Language = NullIfEmpty(connection.Language),
            Version = NullIfEmpty(connection.Version),
            TlsVersion = connection.TlsVersion,
            TlsCipherSuite = connection.TlsCipherSuite,
            TlsPeers = query.Auth && connection.TlsPeer is { } peer ? [peer] : null,
            TlsFirst = connection.TlsFirst,
            AuthorizedUser = query.Auth ? NullIfEmpty(connection.User) : null,
            Account = query.Auth && connection.Account is not GlobalAccount ? connection.Account : null,
            Jwt = query.Auth ? connection.Jwt : null,
            IssuerKey = query.Auth ? connection.IssuerKey : null,
            Tags = query.Auth && connection.Tags is { Count: > 0 } tags ? tags : null,
            NameTag = query.Auth ? connection.AccountTag ?? connection.Account : null,
            Subjects = query is { Subscriptions: true, SubscriptionDetails: false } ? subscriptions?.Select(subscription => subscription.Subject).ToList() : null,
            SubscriptionDetails = query.SubscriptionDetails ? subscriptions?.Select(subscription => SubscriptionDetail.Of(subscription, withAccount: false)).ToList() : null,
        };
    }

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static long Nanoseconds(TimeSpan time) => time.Ticks * 100;
}

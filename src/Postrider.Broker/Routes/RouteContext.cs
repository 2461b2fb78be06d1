using System.Security.Cryptography;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Peers;
using Postrider.Broker.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>The state shared by all routes of a broker.</summary>
internal sealed class RouteContext
{
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private const int NameLength = 22;
    private const int NonceLength = 15;

    // As in nats-server: a broken route has to be detected soon.
    private static readonly TimeSpan MaxPingInterval = TimeSpan.FromSeconds(30);

    private static readonly WireJsonContext Json = new(new JsonSerializerOptions
    {
        PropertyNameCaseInsensitive = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });

    // Guards the name and the set of accounts, which is replaced as a whole.
    private readonly Lock _gate = new();
    private volatile HashSet<string> _pinned;

    public RouteContext(SessionContext sessions, ClusterOptions options, TlsMaterial? tls)
    {
        (Sessions, Options, Tls) = (sessions, options, tls);
        IsNameDynamic = string.IsNullOrEmpty(options.Name);
        Name = IsNameDynamic ? RandomNumberGenerator.GetString(Alphabet, NameLength) : options.Name!;
        Permissions = RoutePermissions.Of(options.Permissions);
        _pinned = options.PinnedAccounts(sessions.Accounts.System?.Name);
        Registry = new RouteRegistry(this);
        sessions.Accounts.ClusterName = Name;
    }

    /// <summary>The state shared by the broker's sessions.</summary>
    public SessionContext Sessions { get; }

    /// <summary>The options; replaced by a reload.</summary>
    public ClusterOptions Options { get; private set; }

    /// <summary>The certificates for new routes; null without TLS. Replaced by a reload.</summary>
    public TlsMaterial? Tls { get; private set; }

    /// <summary>The permissions for interest shared with the other servers; replaced by a reload.</summary>
    public RoutePermissions Permissions { get; private set; }

    /// <summary>The connections by server.</summary>
    public RouteRegistry Registry { get; }

    /// <summary>Called when another server announces a third one; set before there are connections.</summary>
    public Action<ServerInfo>? Announced { get; set; }

    /// <summary>Called when an account has been given a dedicated route; set before there are connections.</summary>
    public Action? PinnedChanged { get; set; }

    /// <summary>The port of the listener; 0 before it listens.</summary>
    public int Port { get; set; }

    /// <summary>Addresses for clients, <c>host:port</c>, that the other servers announce to theirs. Set before there are connections.</summary>
    public IReadOnlyList<string> ClientUrls { get; set; } = [];

    /// <summary>The address for other servers, <c>nats-route://host:port/</c>; null for the one that they see. Set before there are connections.</summary>
    public string? AdvertisedUrl { get; set; }

    /// <summary>The cluster's name.</summary>
    public string Name { get; private set; }

    /// <summary>Whether the name was generated, so that it may be replaced by that of another server.</summary>
    public bool IsNameDynamic { get; private set; }

    /// <summary>The log.</summary>
    public ILogger Logger => Sessions.Logger;

    /// <summary>The clock.</summary>
    public TimeProvider Time => Sessions.Time;

    /// <summary>The number of pool connections to each server; 0 without a pool.</summary>
    public int PoolSize => Math.Max(0, Options.PoolSize);

    /// <summary>The interval of PINGs.</summary>
    public TimeSpan PingInterval => (Options.PingInterval ?? Sessions.Options.PingInterval) is var chosen && chosen < MaxPingInterval ? chosen : MaxPingInterval;

    /// <summary>Whether other servers must authenticate.</summary>
    public bool RequiresUser => !string.IsNullOrEmpty(Options.User);

    /// <summary>The accounts with a dedicated route.</summary>
    public IReadOnlyCollection<string> Pinned => _pinned;

    /// <summary>Whether an account has a dedicated route.</summary>
    public bool IsPinned(string account) => _pinned.Contains(account);

    /// <summary>Applies changed options. Name and listener do not change.</summary>
    public void Apply(ClusterOptions options, TlsMaterial? tls)
    {
        var before = Options.Permissions;
        var system = Sessions.Accounts.System?.Name;
        lock (_gate)
        {
            // Accounts that other servers requested are kept.
            _pinned = [.. _pinned.Except(Options.PinnedAccounts(system), StringComparer.Ordinal), .. options.PinnedAccounts(system)];
            (Options, Tls) = (options, tls);
        }
        if (RoutePermissionOptions.AreSame(before, options.Permissions)) return;
        Permissions = RoutePermissions.Of(options.Permissions);
        foreach (var session in Registry.Registered) session.ApplyPermissions();
    }

    /// <summary>Gives an account a dedicated route to each server, at the request of another server.</summary>
    public void Pin(string account)
    {
        lock (_gate) _pinned = [.. _pinned, account];
        Withdraw(account);
        PinnedChanged?.Invoke();
    }

    /// <summary>Removes an account from the routes of the pool.</summary>
    public void Withdraw(string account)
    {
        foreach (var session in Registry.Registered.Where(static session => session is { PinnedAccount: null, IsWithoutPool: false })) session.Withdraw(account);
    }

    /// <summary>The index of an account's route in the pool: the same on every server whose pool has the same size.</summary>
    public static int PoolIndexOf(int poolSize, string account)
    {
        if (poolSize <= 1) return 0;
        var hash = 2166136261u;
        foreach (var value in System.Text.Encoding.UTF8.GetBytes(account)) hash = (hash ^ value) * 16777619u;
        return (int)(hash % (uint)poolSize);
    }

    /// <summary>Negotiates the cluster's name with another server.</summary>
    /// <param name="name">The other server's; empty when it sent none.</param>
    /// <param name="isDynamic">Whether the other server may change its name.</param>
    /// <param name="server">The other server's id: its connections are kept when the name changes.</param>
    /// <returns>False when the servers belong to different clusters.</returns>
    public bool TryAgreeOnName(string? name, bool isDynamic, string server)
    {
        lock (_gate)
        {
            if (string.IsNullOrEmpty(name) || name == Name) return true;
            // Of two generated names the higher one is kept.
            if (!IsNameDynamic || (isDynamic && string.CompareOrdinal(Name, name) > 0)) return false;
            Name = name;
            IsNameDynamic = isDynamic;
        }
        RouteLog.NameChanged(Logger, name);
        Sessions.Info = Sessions.Info with { Cluster = name };
        Sessions.Accounts.ClusterName = name;
        Registry.EndAllBut(server);
        Sessions.ClusterRenamed?.Invoke();
        return true;
    }

    /// <summary>Writes the first INFO of a route.</summary>
    /// <param name="session">The route; its pool index is the one that the broker chose for a solicited connection, else 0.</param>
    /// <param name="gossipMode">Whether the other server has to announce the route.</param>
    public byte[] RenderInfo(RouteSession session, byte gossipMode) => Render(CreateInfo() with
    {
        Nonce = RandomNumberGenerator.GetString(Alphabet, NonceLength),
        RoutePoolIndex = session.IsWithoutPool ? 0 : session.PoolIndex,
        RouteAccount = session.PinnedAccount,
        Compression = session.Compression.IsChosen ? session.Compression.InfoMode : PeerCompression.TextOf(Options.Compression.Mode),
        GossipMode = gossipMode,
    });

    /// <summary>Writes the INFO that announces lame duck mode.</summary>
    public byte[] RenderLameDuckInfo() => Render(CreateInfo() with { LameDuckMode = true });

    /// <summary>Writes the INFO that requests a dedicated route for an account.</summary>
    public byte[] RenderAccountRequest(string account) => Render(new ServerInfo
    {
        RoutePoolSize = PoolSize,
        RouteAccount = account,
        RouteAccountRequest = RandomNumberGenerator.GetString(Alphabet, NameLength),
    });

    /// <summary>Writes the INFO that announces changes on an open route.</summary>
    public byte[] RenderChangedInfo() => Render(CreateInfo());

    /// <summary>Writes an INFO.</summary>
    public static byte[] Render(ServerInfo info) => [.. "INFO "u8, .. JsonSerializer.SerializeToUtf8Bytes(info, Json.ServerInfo), .. "\r\n"u8];

    /// <summary>Writes CONNECT.</summary>
    /// <param name="address">The address with its user.</param>
    public byte[] RenderConnect(RouteAddress address)
    {
        var connect = new RouteConnectInfo
        {
            User = address.User,
            Password = address.Password,
            TlsRequired = Tls is not null,
            Headers = Sessions.SupportsHeaders,
            Name = Sessions.Info.ServerId,
            Cluster = Name,
            ClusterDynamic = IsNameDynamic,
            LeafNodeOrigin = true,
            LeafNodeOriginOfEnds = true,
        };
        return [.. "CONNECT "u8, .. JsonSerializer.SerializeToUtf8Bytes(connect, Json.RouteConnectInfo), .. "\r\n"u8];
    }

    /// <summary>Reads INFO.</summary>
    /// <returns>Null for anything but a valid JSON object.</returns>
    public static ServerInfo? ParseInfo(ReadOnlySpan<byte> text) => PeerSessions.Parse(text, WireJsonContext.Default.ServerInfo);

    /// <summary>Reads CONNECT.</summary>
    /// <returns>Null for anything but a valid JSON object.</returns>
    public static RouteConnectInfo? ParseConnect(ReadOnlySpan<byte> text) => PeerSessions.Parse(text, WireJsonContext.Default.RouteConnectInfo);

    private ServerInfo CreateInfo() => Sessions.Info with
    {
        Protocol = PeerSessions.Protocol,
        Host = Options.Host,
        Port = Port,
        AuthRequired = RequiresUser,
        TlsRequired = Tls is not null,
        TlsVerify = Tls is not null,
        TlsAvailable = false,
        // Streams are local to this broker: it is not a candidate for replicated streams.
        JetStream = false,
        Domain = null,
        ApiLevel = 0,
        Ip = AdvertisedUrl,
        Cluster = Name,
        ClusterDynamic = IsNameDynamic,
        ConnectUrls = Options.NoAdvertise || ClientUrls.Count == 0 ? null : [.. ClientUrls],
        WebSocketConnectUrls = Options.NoAdvertise ? null : Sessions.Info.WebSocketConnectUrls,
        LeafNodeUrls = Sessions.LeafNodeUrl is { } url ? [url] : null,
        LameDuckMode = false,
        RoutePoolSize = PoolSize,
        LeafNodeOrigin = true,
        LeafNodeOriginOfEnds = true,
        Import = Options.Permissions?.Import?.ToPermitted(),
        Export = Options.Permissions?.Export?.ToPermitted(),
        Xkey = null,
    };
}

using System.Security.Cryptography;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Peers;
using Postrider.Broker.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>What all routes of a broker share.</summary>
internal sealed class RouteContext
{
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private const int NameLength = 22;
    private const int NonceLength = 15;

    // As in nats-server: a route that is not there is to be noticed soon.
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

    /// <summary>What the broker's sessions share.</summary>
    public SessionContext Sessions { get; }

    /// <summary>The options; replaced by a reload.</summary>
    public ClusterOptions Options { get; private set; }

    /// <summary>The certificates of new routes; null without TLS. Replaced by a reload.</summary>
    public TlsMaterial? Tls { get; private set; }

    /// <summary>Which interest is shared with the other servers; replaced by a reload.</summary>
    public RoutePermissions Permissions { get; private set; }

    /// <summary>The connections by server.</summary>
    public RouteRegistry Registry { get; }

    /// <summary>Follows what other servers announce; set before there are connections.</summary>
    public Action<ServerInfo>? Announced { get; set; }

    /// <summary>Connects where an account has come to have a route of its own; set before there are connections.</summary>
    public Action? PinnedChanged { get; set; }

    /// <summary>The port of the listener; 0 before it listens.</summary>
    public int Port { get; set; }

    /// <summary>Addresses for clients, <c>host:port</c>, that the other servers tell theirs. Set before there are connections.</summary>
    public IReadOnlyList<string> ClientUrls { get; set; } = [];

    /// <summary>The address that other servers are told, <c>nats-route://host:port/</c>; null takes the one that they see. Set before there are connections.</summary>
    public string? AdvertisedUrl { get; set; }

    /// <summary>The cluster's name.</summary>
    public string Name { get; private set; }

    /// <summary>Whether the name was generated, and may be replaced by that of others.</summary>
    public bool IsNameDynamic { get; private set; }

    /// <summary>The log.</summary>
    public ILogger Logger => Sessions.Logger;

    /// <summary>The clock.</summary>
    public TimeProvider Time => Sessions.Time;

    /// <summary>The number of connections that the broker wants to each server; 0 without a pool.</summary>
    public int PoolSize => Math.Max(0, Options.PoolSize);

    /// <summary>The interval of PINGs.</summary>
    public TimeSpan PingInterval => (Options.PingInterval ?? Sessions.Options.PingInterval) is var chosen && chosen < MaxPingInterval ? chosen : MaxPingInterval;

    /// <summary>Whether other servers must authenticate.</summary>
    public bool RequiresUser => !string.IsNullOrEmpty(Options.User);

    /// <summary>The accounts with a route of their own.</summary>
    public IReadOnlyCollection<string> Pinned => _pinned;

    /// <summary>Whether an account has a route of its own.</summary>
    public bool IsPinned(string account) => _pinned.Contains(account);

    /// <summary>Works by these options from now on. Name and listener are as before.</summary>
    public void Apply(ClusterOptions options, TlsMaterial? tls)
    {
        var before = Options.Permissions;
        var system = Sessions.Accounts.System?.Name;
        lock (_gate)
        {
            // What other servers asked for stays.
            _pinned = [.. _pinned.Except(Options.PinnedAccounts(system), StringComparer.Ordinal), .. options.PinnedAccounts(system)];
            (Options, Tls) = (options, tls);
        }
        if (RoutePermissionOptions.AreSame(before, options.Permissions)) return;
        Permissions = RoutePermissions.Of(options.Permissions);
        foreach (var session in Registry.Registered) session.ApplyPermissions();
    }

    /// <summary>Gives an account a route of its own to each server, as another one asks.</summary>
    public void Pin(string account)
    {
        lock (_gate) _pinned = [.. _pinned, account];
        Withdraw(account);
        PinnedChanged?.Invoke();
    }

    /// <summary>Takes an account off the routes of the pool.</summary>
    public void Withdraw(string account)
    {
        foreach (var session in Registry.Registered.Where(static session => session is { PinnedAccount: null, IsWithoutPool: false })) session.Withdraw(account);
    }

    /// <summary>The place in the pool of an account's route: on every server the same, where their pools are of one size.</summary>
    public static int PoolIndexOf(int poolSize, string account)
    {
        if (poolSize <= 1) return 0;
        var hash = 2166136261u;
        foreach (var value in System.Text.Encoding.UTF8.GetBytes(account)) hash = (hash ^ value) * 16777619u;
        return (int)(hash % (uint)poolSize);
    }

    /// <summary>Agrees on the cluster's name with another server.</summary>
    /// <param name="name">The other server's; empty where it says none.</param>
    /// <param name="isDynamic">Whether the other one may change it.</param>
    /// <param name="server">The other server's id: its connections stay when the name changes.</param>
    /// <returns>False when the servers belong to different clusters.</returns>
    public bool TryAgreeOnName(string? name, bool isDynamic, string server)
    {
        lock (_gate)
        {
            if (string.IsNullOrEmpty(name) || name == Name) return true;
            // Of two generated names the higher one stays.
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

    /// <summary>Writes the INFO that a route begins with.</summary>
    /// <param name="session">The route; its place in the pool is that which the broker chose for a connection it solicited, else 0.</param>
    /// <param name="gossipMode">Whether the other server is to announce the route.</param>
    public byte[] RenderInfo(RouteSession session, byte gossipMode) => Render(CreateInfo() with
    {
        Nonce = RandomNumberGenerator.GetString(Alphabet, NonceLength),
        RoutePoolIndex = session.IsWithoutPool ? 0 : session.PoolIndex,
        RouteAccount = session.PinnedAccount,
        Compression = session.Compression.IsChosen ? session.Compression.InfoMode : PeerCompression.TextOf(Options.Compression.Mode),
        GossipMode = gossipMode,
    });

    /// <summary>Writes the INFO that says that the broker is about to stop.</summary>
    public byte[] RenderLameDuckInfo() => Render(CreateInfo() with { LameDuckMode = true });

    /// <summary>Writes the INFO that asks for a route of its own for an account.</summary>
    public byte[] RenderAccountRequest(string account) => Render(new ServerInfo
    {
        RoutePoolSize = PoolSize,
        RouteAccount = account,
        RouteAccountRequest = RandomNumberGenerator.GetString(Alphabet, NameLength),
    });

    /// <summary>Writes the INFO that says what has changed on a route that is open.</summary>
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
    /// <returns>Null for anything but a JSON object of its form.</returns>
    public static ServerInfo? ParseInfo(ReadOnlySpan<byte> text) => PeerSessions.Parse(text, WireJsonContext.Default.ServerInfo);

    /// <summary>Reads CONNECT.</summary>
    /// <returns>Null for anything but a JSON object of its form.</returns>
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
        // Streams here are the broker's own: it is no candidate for those of the cluster.
        JetStream = false,
        Domain = null,
        ApiLevel = 0,
        Ip = AdvertisedUrl,
        Cluster = Name,
        ClusterDynamic = IsNameDynamic,
        ConnectUrls = Options.NoAdvertise || ClientUrls.Count == 0 ? null : [.. ClientUrls],
        WebSocketConnectUrls = Options.NoAdvertise ? null : Sessions.Info.WebSocketConnectUrls,
        LameDuckMode = false,
        RoutePoolSize = PoolSize,
        LeafNodeOrigin = true,
        LeafNodeOriginOfEnds = true,
        Import = Options.Permissions?.Import?.ToPermitted(),
        Export = Options.Permissions?.Export?.ToPermitted(),
        Xkey = null,
    };
}

using Microsoft.Extensions.Logging;
using Postrider.Client.Sessions;
using Postrider.Serialization;
using Postrider.Sockets;

namespace Postrider.Client;

/// <summary>How a client connects and behaves. Read when the client connects; later changes have no effect.</summary>
public sealed record ClientOptions
{
    // Timers do not accept longer times.
    /// <summary>The servers: <c>nats://[user:password@|token@]host[:port]</c>, scheme and port optional; <c>tls://</c> requires TLS;
    /// <c>ws://host[:port][/path]</c> and <c>wss://</c> connect over WebSockets, by default to ports 80 and 443. Default <c>nats://127.0.0.1:4222</c>.</summary>
    public IReadOnlyList<string> Servers { get; set; } = ["nats://127.0.0.1:4222"];

    /// <summary>Whether the servers are tried in random order, which distributes clients. Default true.</summary>
    public bool RandomizeServers { get; set; } = true;

    /// <summary>Whether servers announced by the cluster are used. Default true.</summary>
    public bool UseDiscoveredServers { get; set; } = true;

    /// <summary>The connection's name in the server's monitoring.</summary>
    public string? Name { get; set; }

    /// <summary>The user name; one in a server's address takes precedence.</summary>
    public string? User { get; set; }

    /// <summary>The user's password.</summary>
    public string? Password { get; set; }

    /// <summary>The token, for servers that require one.</summary>
    public string? Token { get; set; }

    /// <summary>Provides the credentials of each connection, such as a <c>.creds</c> file; null uses <see cref="User"/> and
    /// <see cref="Password"/> or <see cref="Token"/>, which cannot be combined with it. Credentials in a server's address take precedence.</summary>
    public ClientCredentials? Credentials { get; set; }

    /// <summary>TLS: authorities, the client's certificate. Setting it requires TLS; null uses TLS where the server or its address requires it.</summary>
    public TlsOptions? Tls { get; set; }

    /// <summary>Header fields of the request that opens a WebSocket, such as <c>Cookie</c>, <c>Origin</c> or <c>Authorization</c>. Default none.</summary>
    public IReadOnlyDictionary<string, string> WebSocketHeaders { get; set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Whether messages over WebSockets are compressed if the server supports it, which takes much CPU time. Default false.</summary>
    public bool WebSocketCompression { get; set; }

    /// <summary>Whether this client's own subscriptions receive the messages that it publishes. Default true.</summary>
    public bool Echo { get; set; } = true;

    /// <summary>Whether the server also checks the subjects of publishes. Default false: the client checks them.</summary>
    public bool Pedantic { get; set; }

    /// <summary>Time limit for connecting and the handshake, per server. Default 5 s.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether a failed first connection is retried like a lost one, instead of <c>ConnectAsync</c> failing. Default false.</summary>
    public bool RetryFirstConnect { get; set; }

    /// <summary>Whether the client reconnects after the connection is lost. Default true.</summary>
    public bool Reconnect { get; set; } = true;

    /// <summary>Number of consecutive failed attempts after which a server is no longer tried; -1 for no limit. Default -1.</summary>
    public int MaxReconnectAttempts { get; set; } = -1;

    /// <summary>The delay before the second round through the servers; it doubles each round, with jitter. It also comes before the next
    /// connection when two in a row ended within two seconds of their handshake. Default 100 ms.</summary>
    public TimeSpan ReconnectDelay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The maximum delay between two rounds. Default 5 s.</summary>
    public TimeSpan MaxReconnectDelay { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Maximum size of the publishes that are buffered while disconnected, in bytes of frames; 0 buffers nothing. Default 8 MiB.</summary>
    public int ReconnectBufferBytes { get; set; } = 8 * 1024 * 1024;

    /// <summary>Number of unsent bytes above which publishing waits. Default 4 MiB.</summary>
    public int MaxPendingBytes { get; set; } = 4 * 1024 * 1024;

    /// <summary>Interval of pings. Default 2 min; infinite turns them off.</summary>
    public TimeSpan PingInterval { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>Number of unanswered pings after which the connection is considered stale. Default 2.</summary>
    public int MaxPingsOutstanding { get; set; } = 2;

    /// <summary>Default timeout of requests. Default 5 s.</summary>
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Time limit for draining. Default 30 s.</summary>
    public TimeSpan DrainTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The prefix of inbox subjects; set it for a user whose permissions restrict inboxes. Default <c>_INBOX</c>.</summary>
    public string InboxPrefix { get; set; } = "_INBOX";

    /// <summary>Default capacity of a subscription's queue, in messages. Default 65,536.</summary>
    public int SubscriptionCapacity { get; set; } = 65_536;

    /// <summary>Default policy for a full subscription. Default <see cref="SlowConsumerPolicy.DropNewest"/>.</summary>
    public SlowConsumerPolicy SlowConsumerPolicy { get; set; }

    /// <summary>
    /// Whether code that awaits a reply or a message continues directly on the receiving thread. This has the lowest latency, but
    /// such code must never block, because no other message is received in the meantime. Default false.
    /// </summary>
    public bool ContinueOnReceiveThread { get; set; }

    /// <summary>The serializers of your own types, such as <c>new JsonSerializerProvider(ShopJson.Default)</c>; null for none.</summary>
    /// <remarks>Bytes are sent unchanged and strings, numbers and Guids as text whatever is set here
    /// (<see cref="BytesSerializerProvider"/>, <see cref="TextSerializerProvider"/>), so that programs on other platforms can read them.
    /// Every method that sends or receives also accepts its own serializer.</remarks>
    public ISerializerProvider? Serializers { get; set; }

    /// <summary>Opens connections. Default TCP; a broker in the same process offers one without a socket.</summary>
    public IConnector? Connector { get; set; }

    /// <summary>Creates the client's logger; null for no logging.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>The clock. Default the system clock.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Source of randomness for inbox names, server order and jitter; null for a cryptographic one.</summary>
    public Random? Random { get; set; }

    /// <summary>How error messages name an option: receives the path of a property, such as <c>User</c> or <c>Tls.CaFile</c>, and returns for
    /// example the key or the flag that sets it; an empty string if users cannot set it. Null, the default, for the names of the properties.</summary>
    /// <remarks>For programs whose users do not see these options. Called when an error is created, on any thread.</remarks>
    public Func<string, string>? OptionNames { get; set; }

    /// <summary>Whether a text is the address of a server, as in <see cref="Servers"/>.</summary>
    /// <param name="text">The text.</param>
    public static bool IsServerAddress(string text) => ServerAddress.TryParse(text, out _) is not null;

    /// <summary>The name of an option in error messages.</summary>
    /// <param name="path">The path of the property below these options.</param>
    internal string NameOf(string path)
        => OptionNames?.Invoke(path) ?? (path.StartsWith("Tls.", StringComparison.Ordinal) ? $"{nameof(TlsOptions)}.{path[4..]}" : $"{nameof(ClientOptions)}.{path}");

    internal void Check()
    {
        if (Servers is not { Count: > 0 }) throw Invalid(nameof(Servers), "is empty");
        if (ConnectTimeout <= TimeSpan.Zero) throw Invalid(nameof(ConnectTimeout), "must be longer than 0");
        if (RequestTimeout <= TimeSpan.Zero) throw Invalid(nameof(RequestTimeout), "must be longer than 0");
        foreach (var (name, time) in (ReadOnlySpan<(string, TimeSpan)>)
            [
                (nameof(ConnectTimeout), ConnectTimeout), (nameof(RequestTimeout), RequestTimeout), (nameof(DrainTimeout), DrainTimeout),
                (nameof(PingInterval), PingInterval), (nameof(ReconnectDelay), ReconnectDelay), (nameof(MaxReconnectDelay), MaxReconnectDelay),
            ])
        {
            if (time > TimeLimit.Max) throw Invalid(name, $"is {time}; it must not exceed {TimeLimit.Max}, the limit of timers");
            if (time < TimeSpan.Zero && time != Timeout.InfiniteTimeSpan) throw Invalid(name, $"is {time}; it must not be negative");
        }

        if (MaxReconnectAttempts < -1) throw Invalid(nameof(MaxReconnectAttempts), $"is {MaxReconnectAttempts}; it must be at least 0, or -1 for no limit");

        if (Password is not null && User is null && Credentials is null && !Servers.Any(static server => server.Contains('@'))) throw Invalid(nameof(Password), $"is set without {NameOf(nameof(User))}: set both");
        if (MaxPendingBytes < 1) throw Invalid(nameof(MaxPendingBytes), "must be at least 1");
        if (ReconnectBufferBytes < 0) throw Invalid(nameof(ReconnectBufferBytes), "must be at least 0");
        if (SubscriptionCapacity < 1) throw Invalid(nameof(SubscriptionCapacity), "must be at least 1");
        if (MaxPingsOutstanding < 1) throw Invalid(nameof(MaxPingsOutstanding), "must be at least 1");
        if (Credentials is not null && (User is not null ? nameof(User) : Password is not null ? nameof(Password) : Token is not null ? nameof(Token) : null) is { } other)
            throw Invalid(other, $"is set together with {NameOf(nameof(Credentials))}: set one of them");
        foreach (var (name, value) in WebSocketHeaders)
            if (name.Length == 0 || !name.All(static letter => letter is > ' ' and < '\x7f' and not ':') || value.AsSpan().ContainsAny("\r\n\0"))
                throw Invalid(nameof(WebSocketHeaders), $"holds the field '{name}': names are visible ASCII without a colon, values are one line");
        if (string.IsNullOrEmpty(InboxPrefix)) throw Invalid(nameof(InboxPrefix), "is empty");
        if (!Wire.Frames.Subject.IsLiteral(System.Text.Encoding.UTF8.GetBytes(InboxPrefix))) throw Invalid(nameof(InboxPrefix), $"is '{InboxPrefix}'; it must be a subject such as _INBOX_orders, without wildcards, spaces and empty tokens");
    }

    private NatsClientException Invalid(string option, string what) => new(NatsErrorCode.InvalidOption, $"{NameOf(option)} {what}.");
}

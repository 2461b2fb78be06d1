using Microsoft.Extensions.Logging;
using Postrider.Sockets;

namespace Postrider.Client;

/// <summary>How a client connects and behaves. Read when the client connects; later changes have no effect.</summary>
public sealed record ClientOptions
{
    /// <summary>The servers: <c>nats://[user:password@|token@]host[:port]</c>, scheme and port optional. Default <c>nats://127.0.0.1:4222</c>.</summary>
    public IReadOnlyList<string> Servers { get; set; } = ["nats://127.0.0.1:4222"];

    /// <summary>Whether the servers are tried in random order, so that clients spread. Default true.</summary>
    public bool RandomizeServers { get; set; } = true;

    /// <summary>Whether servers that the cluster tells of are used too. Default true.</summary>
    public bool UseDiscoveredServers { get; set; } = true;

    /// <summary>The connection's name in the server's monitoring.</summary>
    public string? Name { get; set; }

    /// <summary>The user's name; one in a server's address goes before it.</summary>
    public string? User { get; set; }

    /// <summary>The user's password.</summary>
    public string? Password { get; set; }

    /// <summary>The token, for servers that ask for one.</summary>
    public string? Token { get; set; }

    /// <summary>Whether what this client publishes also reaches its own subscriptions. Default true.</summary>
    public bool Echo { get; set; } = true;

    /// <summary>Whether the server checks the subjects of publishes too. Default false: the client checks them.</summary>
    public bool Pedantic { get; set; }

    /// <summary>For dialling and handshake together, per server. Default 5 s.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether a first connection that fails is tried again like a lost one, without <c>ConnectAsync</c> failing. Default false.</summary>
    public bool RetryFirstConnect { get; set; }

    /// <summary>Whether a lost connection is made anew. Default true.</summary>
    public bool Reconnect { get; set; } = true;

    /// <summary>How often each server is tried in a row before it is given up; -1 without end. Default -1.</summary>
    public int MaxReconnectAttempts { get; set; } = -1;

    /// <summary>The wait before the second round through the servers; doubles each round, plus jitter. Default 100 ms.</summary>
    public TimeSpan ReconnectDelay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The longest wait between two rounds. Default 5 s.</summary>
    public TimeSpan MaxReconnectDelay { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>What may be published while there is no connection, in bytes of frames; 0 refuses at once. Default 8 MiB.</summary>
    public int ReconnectBufferBytes { get; set; } = 8 * 1024 * 1024;

    /// <summary>What may wait to be sent before publishing waits, in bytes. Default 4 MiB.</summary>
    public int MaxPendingBytes { get; set; } = 4 * 1024 * 1024;

    /// <summary>How often an idle connection is tested. Default 2 min; infinite switches it off.</summary>
    public TimeSpan PingInterval { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>How many pings may be unanswered before the connection counts as stale. Default 2.</summary>
    public int MaxPingsOutstanding { get; set; } = 2;

    /// <summary>How long a request waits for its reply unless it says otherwise. Default 5 s.</summary>
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long draining may take. Default 30 s.</summary>
    public TimeSpan DrainTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The first token or tokens of inboxes; a user who may subscribe only there needs another. Default <c>_INBOX</c>.</summary>
    public string InboxPrefix { get; set; } = "_INBOX";

    /// <summary>What a subscription holds for its reader unless it says otherwise, in messages. Default 65,536.</summary>
    public int SubscriptionCapacity { get; set; } = 65_536;

    /// <summary>What a subscription does when it is full unless it says otherwise. Default <see cref="SlowConsumerPolicy.DropNewest"/>.</summary>
    public SlowConsumerPolicy SlowConsumerPolicy { get; set; }

    /// <summary>
    /// Whether code that awaits a reply or a message goes on at once on the receiving thread. The lowest latency, but
    /// such code must never block: no other message is received meanwhile. Default false.
    /// </summary>
    public bool ContinueOnReceiveThread { get; set; }

    /// <summary>Finds serializers. Default <see cref="DefaultSerializerRegistry"/>; use <see cref="JsonSerializerRegistry"/> for own types.</summary>
    public IPayloadSerializerRegistry Serializers { get; set; } = DefaultSerializerRegistry.Instance;

    /// <summary>Dials. Default TCP; a broker in the same process offers one without a socket.</summary>
    public IConnector? Connector { get; set; }

    /// <summary>Gets log messages; null for none.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>The clock. Default the system's.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Randomness of inbox names, server order and jitter; null for one that cannot be foretold.</summary>
    public Random? Random { get; set; }

    internal void Check()
    {
        if (Servers is not { Count: > 0 }) throw Invalid(nameof(Servers), "is empty");
        if (ConnectTimeout <= TimeSpan.Zero) throw Invalid(nameof(ConnectTimeout), "must be longer than 0");
        if (RequestTimeout <= TimeSpan.Zero) throw Invalid(nameof(RequestTimeout), "must be longer than 0");
        if (MaxPendingBytes < 1) throw Invalid(nameof(MaxPendingBytes), "must be at least 1");
        if (ReconnectBufferBytes < 0) throw Invalid(nameof(ReconnectBufferBytes), "must be at least 0");
        if (SubscriptionCapacity < 1) throw Invalid(nameof(SubscriptionCapacity), "must be at least 1");
        if (MaxPingsOutstanding < 1) throw Invalid(nameof(MaxPingsOutstanding), "must be at least 1");
        if (string.IsNullOrEmpty(InboxPrefix)) throw Invalid(nameof(InboxPrefix), "is empty");
    }

    private static NatsClientException Invalid(string option, string what)
        => new(NatsErrorCode.InvalidOption, $"ClientOptions.{option} {what}.");
}

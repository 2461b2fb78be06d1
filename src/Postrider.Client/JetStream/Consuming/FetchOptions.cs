
using Postrider.Client.JetStream.Consuming;

namespace Postrider.Client.JetStream;

/// <summary>Options of a fetch of one batch of messages.</summary>
public sealed record FetchOptions
{
    // Shorter batches end before a heartbeat would be useful.
    private static readonly TimeSpan HeartbeatsFrom = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan DefaultHeartbeat = TimeSpan.FromSeconds(5);

    /// <summary>How long to wait for the batch to fill. Default 30 s.</summary>
    public TimeSpan Expires { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Whether to return only what is available now, without waiting.</summary>
    public bool NoWait { get; init; }

    /// <summary>Maximum size of the batch in bytes; 0 for no limit.</summary>
    public long MaxBytes { get; init; }

    /// <summary>Interval of heartbeats from the server; 0 for none. Default 5 s, if <see cref="Expires"/> is at least 10 s.</summary>
    public TimeSpan? Heartbeat { get; init; }

    /// <summary>The priority group.</summary>
    public string? Group { get; init; }

    /// <summary>Fetches only when at least this many messages are pending.</summary>
    public long MinPending { get; init; }

    /// <summary>Fetches only when at least this many messages are unacknowledged.</summary>
    public long MinAckPending { get; init; }

    /// <summary>The priority, 0 to 9, lowest first.</summary>
    public int Priority { get; init; }

    internal PullSettings Plan(string stream, string consumer, int messages)
    {
        if (messages < 1) throw new NatsClientException(NatsErrorCode.InvalidOption, $"A batch of {messages} messages must be at least 1.");
        if (Expires <= TimeSpan.Zero) throw new NatsClientException(NatsErrorCode.InvalidOption, "FetchOptions.Expires must be longer than 0.");
        return new PullSettings
        {
            Stream = stream,
            Consumer = consumer,
            MaxMessages = messages,
            MaxBytes = MaxBytes,
            Expires = Expires,
            NoWait = NoWait,
            Heartbeat = NoWait ? TimeSpan.Zero : Heartbeat ?? (Expires >= HeartbeatsFrom ? DefaultHeartbeat : TimeSpan.Zero),
            Group = Group,
            MinPending = MinPending,
            MinAckPending = MinAckPending,
            Priority = Priority,
        };
    }
}

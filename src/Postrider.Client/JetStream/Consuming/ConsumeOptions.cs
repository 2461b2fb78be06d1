
using Postrider.Client.JetStream.Consuming;

namespace Postrider.Client.JetStream;

/// <summary>How messages are consumed continuously.</summary>
public sealed record ConsumeOptions
{
    // The number of messages to request when only bytes are limited: so many that the bytes decide.
    private const int AnyNumber = 1_000_000;
    private const int DefaultMessages = 500;
    private static readonly TimeSpan MaxHeartbeat = TimeSpan.FromSeconds(15);

    /// <summary>Maximum number of requested and unread messages. More are requested when half of them have been read. Default 500. Cannot be combined with <see cref="MaxBytes"/>.</summary>
    public int? MaxMessages { get; init; }

    /// <summary>Maximum number of requested and unread bytes; 0 for no limit. Cannot be combined with <see cref="MaxMessages"/> (ADR-37).</summary>
    public long MaxBytes { get; init; }

    /// <summary>Number of messages at which more are requested. Default half of <see cref="MaxMessages"/>.</summary>
    public int? RefillAtMessages { get; init; }

    /// <summary>How long the server keeps a pull request open. Default 30 s.</summary>
    public TimeSpan Expires { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Interval of heartbeats from the server. After two missed heartbeats the client checks the consumer. Default half of <see cref="Expires"/>, at most 15 s.</summary>
    public TimeSpan? Heartbeat { get; init; }

    /// <summary>The priority group.</summary>
    public string? Group { get; init; }

    /// <summary>Pulls only while at least this many messages are pending. With <see cref="Models.PriorityPolicy.Overflow"/>.</summary>
    public long MinPending { get; init; }

    /// <summary>Pulls only while at least this many messages are unacknowledged. With <see cref="Models.PriorityPolicy.Overflow"/>.</summary>
    public long MinAckPending { get; init; }

    /// <summary>The priority, 0 to 9, lowest first. With <see cref="Models.PriorityPolicy.Prioritized"/>.</summary>
    public int Priority { get; init; }

    internal PullSettings Plan(string stream, string consumer)
    {
        var messages = MaxMessages ?? (MaxBytes > 0 ? AnyNumber : DefaultMessages);
        var heartbeat = Heartbeat ?? (Expires / 2 < MaxHeartbeat ? Expires / 2 : MaxHeartbeat);
        if (MaxMessages is not null && MaxBytes > 0) throw Invalid(nameof(MaxBytes), "cannot be combined with MaxMessages");
        if (messages < 1) throw Invalid(nameof(MaxMessages), "must be at least 1");
        if (Expires < TimeSpan.FromSeconds(1)) throw Invalid(nameof(Expires), "must be at least 1 s");
        if (heartbeat <= TimeSpan.Zero || heartbeat > Expires / 2) throw Invalid(nameof(Heartbeat), "must be longer than 0 and at most half of Expires");
        if (RefillAtMessages < 0 || RefillAtMessages >= messages) throw Invalid(nameof(RefillAtMessages), "must be at least 0 and less than MaxMessages");
        return new PullSettings
        {
            Stream = stream,
            Consumer = consumer,
            MaxMessages = messages,
            MaxBytes = MaxBytes,
            Expires = Expires,
            Heartbeat = heartbeat,
            IsEndless = true,
            Group = Group,
            MinPending = MinPending,
            MinAckPending = MinAckPending,
            Priority = Priority,
            RefillAtMessages = RefillAtMessages ?? messages / 2,
        };
    }

    private static NatsClientException Invalid(string option, string what)
        => new(NatsErrorCode.InvalidOption, $"ConsumeOptions.{option} {what}.");
}


using Postrider.Client.JetStream.Consuming;

namespace Postrider.Client.JetStream;

/// <summary>How messages are consumed without end.</summary>
public sealed record ConsumeOptions
{
    // What a limit of bytes alone asks for: so many that the bytes are what counts.
    private const int AnyNumber = 1_000_000;
    private const int DefaultMessages = 500;
    private static readonly TimeSpan MaxHeartbeat = TimeSpan.FromSeconds(15);

    /// <summary>Messages under way or unread at once. Half of them read, more are asked for. Default 500. Not together with <see cref="MaxBytes"/>.</summary>
    public int? MaxMessages { get; init; }

    /// <summary>Bytes under way or unread at once; 0 for no limit. Not together with <see cref="MaxMessages"/> (ADR-37).</summary>
    public long MaxBytes { get; init; }

    /// <summary>At so few messages more are asked for. Default half of <see cref="MaxMessages"/>.</summary>
    public int? RefillAtMessages { get; init; }

    /// <summary>How long one pull waits at the server. Default 30 s.</summary>
    public TimeSpan Expires { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How often the server says that it lives. Twice as long without a sign, and the consumer is looked at anew. Default half of <see cref="Expires"/>, at most 15 s.</summary>
    public TimeSpan? Heartbeat { get; init; }

    /// <summary>The priority group.</summary>
    public string? Group { get; init; }

    /// <summary>Pulls only while at least so many messages wait for the consumer. With <see cref="Models.PriorityPolicy.Overflow"/>.</summary>
    public long MinPending { get; init; }

    /// <summary>Pulls only while at least so many messages wait for acknowledgements. With <see cref="Models.PriorityPolicy.Overflow"/>.</summary>
    public long MinAckPending { get; init; }

    /// <summary>0 to 9, the lowest first. With <see cref="Models.PriorityPolicy.Prioritized"/>.</summary>
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

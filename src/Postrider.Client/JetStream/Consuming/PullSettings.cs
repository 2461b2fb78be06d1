namespace Postrider.Client.JetStream.Consuming;

/// <summary>How messages are pulled.</summary>
internal sealed record PullSettings
{
    public required string Stream { get; init; }

    public required string Consumer { get; init; }

    /// <summary>Maximum number of requested and unread messages.</summary>
    public required int MaxMessages { get; init; }

    /// <summary>Maximum number of requested and unread bytes; 0 for no limit.</summary>
    public long MaxBytes { get; init; }

    public TimeSpan Expires { get; init; }

    /// <summary>The interval of heartbeats; 0 for none.</summary>
    public TimeSpan Heartbeat { get; init; }

    /// <summary>Whether pulls are repeated indefinitely.</summary>
    public bool IsEndless { get; init; }

    public bool NoWait { get; init; }

    public string? Group { get; init; }

    public long MinPending { get; init; }

    public long MinAckPending { get; init; }

    public int Priority { get; init; }

    /// <summary>The number of messages at which the next pull is sent.</summary>
    public int RefillAtMessages { get; init; }

    public long RefillAtBytes => MaxBytes / 2;
}

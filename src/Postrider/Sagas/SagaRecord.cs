namespace Postrider.Sagas;

/// <summary>The stored record of a saga: the state in the format of its serializer, and the data that makes repetitions harmless.</summary>
internal sealed record SagaRecord
{
    /// <summary>The number of remembered message ids: a repetition that arrives later is handled again.</summary>
    internal const int MaxHandled = 64;

    internal static readonly IReadOnlyDictionary<string, long> NoTimeouts = new Dictionary<string, long>(StringComparer.Ordinal);

    /// <summary>1 for the message that started the saga, one more for each further one.</summary>
    public required long Version { get; init; }

    /// <summary>When the saga was started, which distinguishes it from an earlier one with the same id; null for one that was stored without it.</summary>
    public DateTimeOffset? StartedAt { get; init; }

    /// <summary>When this version was written.</summary>
    public required DateTimeOffset StoredAt { get; init; }

    /// <summary>The media type of <see cref="State"/>.</summary>
    public string? ContentType { get; init; }

    /// <summary>The state; empty for a saga that has ended.</summary>
    public ReadOnlyMemory<byte> State { get; init; }

    /// <summary>Whether the saga has ended.</summary>
    public bool IsCompleted { get; init; }

    /// <summary>The ids of the last messages that were handled, the oldest first.</summary>
    public IReadOnlyList<string> Handled { get; init; } = [];

    /// <summary>The timeouts that are set, with the version that has set each.</summary>
    public IReadOnlyDictionary<string, long> Timeouts { get; init; } = NoTimeouts;

    /// <summary>The messages of this version that may not have been sent yet.</summary>
    public IReadOnlyList<PendingMessage> Pending { get; init; } = [];

    /// <summary>Whether a message was the last one that was handled, so that the pending messages are its own.</summary>
    internal bool IsLast(string? id) => id is not null && Handled is [.., var last] && last == id;

    /// <summary>The handled ids with one more.</summary>
    internal IReadOnlyList<string> HandledWith(string? id)
        => id is null ? Handled : [.. Handled.Skip(Math.Max(0, Handled.Count + 1 - MaxHandled)), id];
}

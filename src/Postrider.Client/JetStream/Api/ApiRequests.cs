using System.Text.Json.Serialization;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream.Api;

internal sealed record ConsumerCreateRequest
{
    public required string StreamName { get; init; }

    public required ConsumerConfig Config { get; init; }

    /// <summary><c>create</c>, <c>update</c>, or null for either.</summary>
    public string? Action { get; init; }
}

internal sealed record ListRequest
{
    public int Offset { get; init; }

    public string? Subject { get; init; }
}

internal sealed record MessageGetRequest
{
    [JsonPropertyName("seq")] public ulong Sequence { get; init; }

    [JsonPropertyName("last_by_subj")] public string? LastBySubject { get; init; }

    [JsonPropertyName("next_by_subj")] public string? NextBySubject { get; init; }

    public int Batch { get; init; }

    public int MaxBytes { get; init; }

    public DateTimeOffset? StartTime { get; init; }

    public IReadOnlyList<string>? MultiLast { get; init; }

    [JsonPropertyName("up_to_seq")] public ulong UpToSequence { get; init; }

    public DateTimeOffset? UpToTime { get; init; }
}

internal sealed record MessageDeleteRequest
{
    [JsonPropertyName("seq")] public required ulong Sequence { get; init; }

    public bool NoErase { get; init; }
}

internal sealed record PauseRequest
{
    public DateTimeOffset? PauseUntil { get; init; }
}

internal sealed record UnpinRequest
{
    public required string Group { get; init; }
}

internal sealed record ResetRequest
{
    [JsonPropertyName("seq")] public ulong Sequence { get; init; }
}

internal sealed record SnapshotRequest
{
    public required string DeliverSubject { get; init; }

    public bool NoConsumers { get; init; }

    public int ChunkSize { get; init; }

    [JsonPropertyName("jsck")] public bool ChecksMessages { get; init; }
}

internal sealed record RestoreRequest
{
    public required StreamConfig Config { get; init; }

    public required StreamState State { get; init; }
}

internal sealed record PullRequest
{
    public int Batch { get; init; }

    public TimeSpan Expires { get; init; }

    public bool NoWait { get; init; }

    public long MaxBytes { get; init; }

    public TimeSpan IdleHeartbeat { get; init; }

    public string? Group { get; init; }

    public long MinPending { get; init; }

    public long MinAckPending { get; init; }

    public int Priority { get; init; }

    [JsonPropertyName("id")] public string? PinId { get; init; }
}

using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream.Api;

internal sealed record StreamListReply
{
    public int Total { get; init; }

    public IReadOnlyList<StreamInfo>? Streams { get; init; }
}

internal sealed record StreamNamesReply
{
    public int Total { get; init; }

    public IReadOnlyList<string>? Streams { get; init; }
}

internal sealed record ConsumerListReply
{
    public int Total { get; init; }

    public IReadOnlyList<ConsumerInfo>? Consumers { get; init; }
}

internal sealed record ConsumerNamesReply
{
    public int Total { get; init; }

    public IReadOnlyList<string>? Consumers { get; init; }
}

internal sealed record SuccessReply
{
    public bool Success { get; init; }

    public ulong Purged { get; init; }
}

internal sealed record MessageGetReply
{
    public required MessageOnWire Message { get; init; }
}

internal sealed record MessageOnWire
{
    public string Subject { get; init; } = "";

    public ulong Seq { get; init; }

    public byte[]? Hdrs { get; init; }

    public byte[]? Data { get; init; }

    public DateTimeOffset Time { get; init; }
}

internal sealed record PauseReply
{
    public bool Paused { get; init; }

    public DateTimeOffset? PauseUntil { get; init; }

    public TimeSpan PauseRemaining { get; init; }
}

internal sealed record SnapshotReply
{
    public required StreamConfig Config { get; init; }

    public required StreamState State { get; init; }
}

internal sealed record RestoreReply
{
    public string DeliverSubject { get; init; } = "";
}

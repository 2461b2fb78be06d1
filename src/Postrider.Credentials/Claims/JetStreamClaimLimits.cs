using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The limits of an account's streams. Null means no limit.</summary>
public sealed record JetStreamClaimLimits
{
    /// <summary>Bytes of streams in memory; 0 for none. Default 0.</summary>
    public long? MemoryBytes { get; init; } = 0;

    /// <summary>Bytes of streams on a disk; 0 for none. Default 0.</summary>
    public long? DiskBytes { get; init; } = 0;

    /// <summary>The number of streams. Default no limit.</summary>
    public long? MaxStreams { get; init; }

    /// <summary>The number of consumers. Default no limit.</summary>
    public long? MaxConsumers { get; init; }

    /// <summary>The number of unacknowledged messages of a consumer. Default no limit.</summary>
    public long? MaxAckPending { get; init; }

    /// <summary>Bytes of one stream in memory. Default no limit.</summary>
    public long? MaxMemoryStreamBytes { get; init; }

    /// <summary>Bytes of one stream on a disk. Default no limit.</summary>
    public long? MaxDiskStreamBytes { get; init; }

    /// <summary>Whether each stream must set a limit of bytes. Default false.</summary>
    public bool MaxBytesRequired { get; init; }

    /// <summary>Whether the account may have streams.</summary>
    public bool IsEnabled => MemoryBytes != 0 || DiskBytes != 0;

    internal static JetStreamClaimLimits Read(ClaimsReader reader) => new()
    {
        MemoryBytes = reader.LimitUnlessNegative("mem_storage"),
        DiskBytes = reader.LimitUnlessNegative("disk_storage"),
        MaxStreams = reader.LimitUnlessNegative("streams"),
        MaxConsumers = reader.LimitUnlessNegative("consumer"),
        // 0 means no limit here.
        MaxAckPending = NullIfZero(reader.LimitUnlessNegative("max_ack_pending")),
        MaxMemoryStreamBytes = NullIfZero(reader.LimitUnlessNegative("mem_max_stream_bytes")),
        MaxDiskStreamBytes = NullIfZero(reader.LimitUnlessNegative("disk_max_stream_bytes")),
        MaxBytesRequired = reader.Flag("max_bytes_required"),
    };

    internal void Write(Utf8JsonWriter writer)
    {
        writer.Limit("mem_storage", MemoryBytes);
        writer.Limit("disk_storage", DiskBytes);
        writer.Limit("streams", MaxStreams);
        writer.Limit("consumer", MaxConsumers);
        writer.Number("max_ack_pending", MaxAckPending ?? 0);
        writer.Number("mem_max_stream_bytes", MaxMemoryStreamBytes ?? 0);
        writer.Number("disk_max_stream_bytes", MaxDiskStreamBytes ?? 0);
        writer.Flag("max_bytes_required", MaxBytesRequired);
    }

    private static long? NullIfZero(long? limit) => limit == 0 ? null : limit;
}

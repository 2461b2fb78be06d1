namespace Postrider.Rpc;

/// <summary>Limits that one side of a connection imposes on the other.</summary>
public sealed class SocketLimits
{
    /// <summary>The maximum message size in bytes.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>The flow-control window of a stream: the number of bytes of items sent ahead of the reader.</summary>
    public int StreamWindowBytes { get; init; } = 256 * 1024;

    /// <summary>The maximum number of concurrent calls per connection, at most 65535. The server rejects further calls with
    /// <see cref="RpcStatus.Busy"/>.</summary>
    public int MaxCalls { get; init; } = 4096;

    /// <summary>The number of unsent response bytes above which nothing more is read from the peer.</summary>
    public long MaxPendingBytes { get; init; } = 32 * 1024 * 1024;

    /// <summary>At the server, the maximum number of bytes in messages and unread items of pending calls per connection. Further calls
    /// are rejected, and streams that exceed the limit end, with <see cref="RpcStatus.Busy"/>. Messages of up to 1 KiB are not
    /// counted.</summary>
    public long MaxOpenBytes { get; init; } = 64 * 1024 * 1024;

    internal static void Check(SocketLimits limits)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limits.MaxMessageBytes, 1024, nameof(limits));
        ArgumentOutOfRangeException.ThrowIfLessThan(limits.StreamWindowBytes, 1024, nameof(limits));
        ArgumentOutOfRangeException.ThrowIfLessThan(limits.MaxCalls, 1, nameof(limits));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limits.MaxCalls, ushort.MaxValue, nameof(limits));
        ArgumentOutOfRangeException.ThrowIfLessThan(limits.MaxPendingBytes, 1024, nameof(limits));
        ArgumentOutOfRangeException.ThrowIfLessThan(limits.MaxOpenBytes, 1024, nameof(limits));
    }
}

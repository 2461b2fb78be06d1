namespace Postrider.Rpc;

/// <summary>What either side of a socket allows the other.</summary>
public sealed class SocketLimits
{
    /// <summary>The largest message, in bytes.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>How many bytes of a stream's items may be on their way before its reader has taken them.</summary>
    public int StreamWindowBytes { get; init; } = 256 * 1024;

    /// <summary>How many calls may be under way on a connection, at most 65535. At the server, further ones are refused with <see cref="RpcStatus.Busy"/>.</summary>
    public int MaxCalls { get; init; } = 4096;

    /// <summary>From so many bytes of answers on that a peer has not read, nothing more is read from it.</summary>
    public long MaxPendingBytes { get; init; } = 32 * 1024 * 1024;

    /// <summary>At the server, how many bytes the messages and unread items of the calls under way on a connection may have together.
    /// Further calls are refused, and streams that exceed it end, with <see cref="RpcStatus.Busy"/>. Messages of up to 1 KiB are not counted.</summary>
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

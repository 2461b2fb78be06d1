using System.Buffers;
using Postrider.Broker.Compression;

namespace Postrider.Broker.JetStream.Snapshots;

/// <summary>The archive format for streams that nats-server has used since 2.15: documents and messages, independent of the store.</summary>
/// <remarks>
/// <para>Shape: <c>NATSARC1</c>, then entries of name length, timestamp (zigzag), sequence, header length, payload
/// length (base-128 numbers), name, headers, payload. First <c>state.json</c>, then <c>consumers/NAME</c>, then the messages in
/// order, then an entry of zeros.</para>
/// <para>Thread-safe: no state. Source: nats-server, snapshots of streams.</para>
/// </remarks>
internal static class SnapshotFormat
{
    /// <summary>The name of the first entry.</summary>
    public const string StateName = "state.json";

    /// <summary>The prefix of the names of consumers' entries.</summary>
    public const string ConsumerPrefix = "consumers/";

    /// <summary>Maximum size of an entry: headers and payload together may have the largest <c>max_payload</c>, 64 MiB, plus what
    /// streams add to headers; a name may be as long as a record's subject. Documents are smaller.</summary>
    public const int MaxEntryBytes = (5 * MaxNumberBytes) + MaxNameBytes + MaxBodyBytes;

    private const int MaxNameBytes = ushort.MaxValue;
    private const int MaxBodyBytes = 65 * 1024 * 1024;
    private const int MaxNumberBytes = 10;

    /// <summary>The first bytes of an archive.</summary>
    public static ReadOnlySpan<byte> Magic => "NATSARC1"u8;

    /// <summary>Writes an entry.</summary>
    public static void Write(S2Encoder target, in SnapshotEntry entry)
    {
        Span<byte> head = stackalloc byte[5 * MaxNumberBytes];
        var written = WriteNumber(head, (ulong)entry.Name.Length);
        written += WriteNumber(head[written..], (ulong)((entry.Timestamp << 1) ^ (entry.Timestamp >> 63)));
        written += WriteNumber(head[written..], entry.Sequence);
        written += WriteNumber(head[written..], (ulong)entry.Headers.Length);
        written += WriteNumber(head[written..], (ulong)entry.Payload.Length);
        target.Write(head[..written]);
        target.Write(entry.Name);
        target.Write(entry.Headers);
        target.Write(entry.Payload);
    }

    /// <summary>Reads the entry at the front of the bytes.</summary>
    /// <param name="bytes">Moved past the entry on success.</param>
    /// <param name="entry">Slices of <paramref name="bytes"/>.</param>
    /// <returns><see cref="OperationStatus.Done"/>, <see cref="OperationStatus.NeedMoreData"/> or <see cref="OperationStatus.InvalidData"/>.</returns>
    public static OperationStatus TryRead(scoped ref ReadOnlySpan<byte> bytes, out SnapshotEntry entry)
    {
        entry = default;
        var rest = bytes;
        Span<ulong> numbers = stackalloc ulong[5];
        for (var i = 0; i < numbers.Length; i++)
        {
            var status = TryReadNumber(ref rest, out numbers[i]);
            if (status != OperationStatus.Done) return status;
        }

        if (numbers[0] > MaxNameBytes || numbers[3] > MaxBodyBytes || numbers[4] > MaxBodyBytes - numbers[3]) return OperationStatus.InvalidData;
        var (name, headers, payload) = ((int)numbers[0], (int)numbers[3], (int)numbers[4]);
        if (rest.Length < name + headers + payload) return OperationStatus.NeedMoreData;
        var timestamp = (long)(numbers[1] >> 1) ^ -(long)(numbers[1] & 1);
        entry = new SnapshotEntry(rest[..name], numbers[2], timestamp, rest.Slice(name, headers), rest.Slice(name + headers, payload));
        bytes = rest[(name + headers + payload)..];
        return OperationStatus.Done;
    }

    private static int WriteNumber(Span<byte> target, ulong number)
    {
        var written = 0;
        for (; number >= 0x80; number >>= 7) target[written++] = (byte)(number | 0x80);
        target[written++] = (byte)number;
        return written;
    }

    private static OperationStatus TryReadNumber(ref ReadOnlySpan<byte> bytes, out ulong number)
    {
        number = 0;
        for (var i = 0; i < bytes.Length && i < MaxNumberBytes; i++)
        {
            number |= (ulong)(bytes[i] & 0x7F) << (7 * i);
            if (bytes[i] >= 0x80) continue;
            bytes = bytes[(i + 1)..];
            return OperationStatus.Done;
        }

        return bytes.Length < MaxNumberBytes ? OperationStatus.NeedMoreData : OperationStatus.InvalidData;
    }
}

// Hot path: MessageStore.Append -> this -> the memory from Block.TryReserve. Allocations: none.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Memory;

namespace Postrider.Storage.Records;

/// <summary>The layout of one record, in memory and in a file.</summary>
/// <remarks>
/// <para>Shape, little-endian: length (4, the whole record) | checksum (4) | sequence (8) | timestamp in nanoseconds since
/// 1970 (8) | back (4, distance to the previous message of the subject, 0 when unknown) | header bytes (4) |
/// time to live in seconds (4, 0 = none) | subject bytes (2) | kind (1) | reserved (1) | subject | headers | payload.</para>
/// <para>The checksum is CRC-32C of everything after it, seeded with the length and the store's salt, so that a record
/// contained in a payload is never mistaken for a real one when a damaged block is searched.</para>
/// <para>Thread-safe: no state.</para>
/// </remarks>
internal static class Record
{
    /// <summary>Bytes before the subject.</summary>
    public const int HeaderBytes = 40;

    /// <summary>Maximum size of a record: 64 MiB of payload (the protocol's largest max_payload) plus subject, headers and reserve.</summary>
    public const int MaxBytes = 80 * 1024 * 1024;

    /// <summary>Maximum size of a subject: its length has two bytes.</summary>
    public const int MaxSubjectBytes = ushort.MaxValue;

    private const int ChecksumAt = 4;
    private const int SequenceAt = 8;
    private const int KindAt = 38;

    /// <summary>The size of a record with these parts.</summary>
    public static long LengthOf(int subjectBytes, int headerBytes, int payloadBytes)
        => (long)HeaderBytes + subjectBytes + headerBytes + payloadBytes;

    /// <summary>Writes a record; <paramref name="target"/> is exactly as long as the record.</summary>
    /// <param name="target">The memory to write to.</param>
    /// <param name="header">The fixed part; lengths are taken from the spans.</param>
    /// <param name="subject">UTF-8 subject.</param>
    /// <param name="headers">The NATS header block, or empty.</param>
    /// <param name="payload">The payload.</param>
    public static void Write(Span<byte> target, in RecordHeader header, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        ref var fixedPart = ref MemoryMarshal.AsRef<RecordHeader>(target[..HeaderBytes]);
        fixedPart = header;
        fixedPart.Length = target.Length;
        fixedPart.HeadersLength = headers.Length;
        fixedPart.SubjectLength = (ushort)subject.Length;
        subject.CopyTo(target[HeaderBytes..]);
        BulkCopy.Copy(headers, target[(HeaderBytes + subject.Length)..]);
        BulkCopy.Copy(payload, target[(HeaderBytes + subject.Length + headers.Length)..]);
    }

    /// <summary>Computes and stores the checksum of a record that was written.</summary>
    public static void Seal(Span<byte> record, uint salt)
        => BinaryPrimitives.WriteUInt32LittleEndian(record[ChecksumAt..], Checksum(record, salt));

    /// <summary>Whether the bytes are one complete, undamaged record.</summary>
    public static bool IsIntact(ReadOnlySpan<byte> record, uint salt)
        => record.Length >= HeaderBytes
            && BinaryPrimitives.ReadInt32LittleEndian(record) == record.Length
            && BinaryPrimitives.ReadUInt32LittleEndian(record[ChecksumAt..]) == Checksum(record, salt);

    /// <summary>Whether an intact record is a message: one that was erased may still be in an index.</summary>
    public static bool IsMessage(ReadOnlySpan<byte> record) => record[KindAt] == (byte)RecordKind.Message;

    /// <summary>Reads the fixed part; <paramref name="record"/> has at least <see cref="HeaderBytes"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RecordHeader ReadHeader(ReadOnlySpan<byte> record) => MemoryMarshal.Read<RecordHeader>(record);

    /// <summary>Slices a record that is known to be intact.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Slice(ReadOnlySpan<byte> record, out StoredMessage message)
    {
        ref readonly var header = ref MemoryMarshal.AsRef<RecordHeader>(record);
        var subjectEnd = HeaderBytes + header.SubjectLength;
        var headersEnd = subjectEnd + header.HeadersLength;
        StoredMessage.Set(
            out message,
            header.Sequence,
            header.Timestamp,
            header.TimeToLiveSeconds,
            record[HeaderBytes..subjectEnd],
            record[subjectEnd..headersEnd],
            record[headersEnd..header.Length]);
    }

    /// <summary>Whether a fixed part could begin a record that ends within <paramref name="available"/> bytes.</summary>
    public static bool IsPlausible(in RecordHeader header, long available)
        => header.Length is >= HeaderBytes and <= MaxBytes
            && header.Length <= available
            && header.HeadersLength >= 0
            && (long)HeaderBytes + header.SubjectLength + header.HeadersLength <= header.Length
            && header.Kind is >= RecordKind.Message and <= RecordKind.Erased;

    private static uint Checksum(ReadOnlySpan<byte> record, uint salt)
        => Crc32C.Compute(record[SequenceAt..], salt ^ (uint)record.Length);
}

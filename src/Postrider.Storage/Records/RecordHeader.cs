using System.Runtime.InteropServices;

namespace Postrider.Storage.Records;

/// <summary>The fixed part of a record, as it is stored in a block: see <see cref="Record"/> for the shape.</summary>
/// <remarks>Little-endian like every processor the runtime supports for this product.</remarks>
[StructLayout(LayoutKind.Sequential, Pack = 1, Size = Record.HeaderBytes)]
internal struct RecordHeader
{
    /// <summary>Bytes of the whole record.</summary>
    public int Length;

    /// <summary>CRC-32C, see <see cref="Record"/>.</summary>
    public uint Checksum;

    /// <summary>Sequence of the message, or the first sequence of the stream for <see cref="RecordKind.Head"/>.</summary>
    public ulong Sequence;

    /// <summary>Nanoseconds since 1970.</summary>
    public long Timestamp;

    /// <summary>Distance to the previous message of the same subject; 0 = none or too far.</summary>
    public uint Back;

    /// <summary>Bytes of the NATS header block.</summary>
    public int HeadersLength;

    /// <summary>Time to live in seconds after <see cref="Timestamp"/>; 0 = no expiry.</summary>
    public uint TimeToLiveSeconds;

    /// <summary>Bytes of the subject.</summary>
    public ushort SubjectLength;

    /// <summary>The kind of record.</summary>
    public RecordKind Kind;

    /// <summary>Zero.</summary>
    public byte Reserved;
}

using System.Runtime.InteropServices;
using Postrider.Storage.Records;

namespace Postrider.Storage.Blocks;

/// <summary>Finds the intact records in a block's bytes, also after damage.</summary>
/// <remarks>After a damaged record, the scan searches byte by byte for the next intact one: its checksum is seeded
/// with the store's salt, so bytes chosen by a publisher are never mistaken for a record. Not thread-safe.</remarks>
internal ref struct BlockScanner(ReadOnlySpan<byte> block, uint salt, ulong firstSequence)
{
    // In an intact block, sequences only jump by skipped ones; the checksum of a candidate beyond this is not computed.
    private const ulong WidestJump = 1UL << 40;

    private readonly ReadOnlySpan<byte> _block = block;
    private ulong _lowest = firstSequence;

    /// <summary>The position of the last record found.</summary>
    public int Position { get; private set; } = BlockHeader.Bytes;

    /// <summary>The last record found.</summary>
    public ReadOnlySpan<byte> Record { get; private set; }

    /// <summary>Bytes skipped before it because they contain no intact record.</summary>
    public int Skipped { get; private set; }

    /// <summary>The end of the last intact record.</summary>
    public int End { get; private set; } = BlockHeader.Bytes;

    /// <summary>Finds the next intact record; false at the end, with the remaining bytes in <see cref="Skipped"/>.</summary>
    public bool MoveNext()
    {
        for (var at = End; at <= _block.Length - Records.Record.HeaderBytes; at++)
        {
            var rest = _block[at..];
            var header = MemoryMarshal.Read<RecordHeader>(rest);
            var plausible = Records.Record.IsPlausible(in header, rest.Length)
                && (at == End || (header.Sequence >= _lowest && header.Sequence - _lowest < WidestJump) || header.Kind != RecordKind.Message);
            if (plausible && Records.Record.IsIntact(rest[..header.Length], salt))
            {
                Skipped = at - End;
                Position = at;
                Record = rest[..header.Length];
                End = at + header.Length;
                _lowest = header.Kind == RecordKind.Message ? header.Sequence : _lowest;
                return true;
            }
        }

        Skipped = _block.Length - End;
        return false;
    }
}

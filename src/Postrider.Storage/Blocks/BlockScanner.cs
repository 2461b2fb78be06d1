using System.Runtime.InteropServices;
using Postrider.Storage.Records;

namespace Postrider.Storage.Blocks;

/// <summary>Finds the intact records of a block's bytes, also behind damage.</summary>
/// <remarks>Where a record is damaged, the scan looks byte by byte for the next one that is intact: its checksum is seeded
/// with the store's salt, so bytes a publisher chose are never mistaken for one. Not thread-safe.</remarks>
internal ref struct BlockScanner(ReadOnlySpan<byte> block, uint salt, ulong firstSequence)
{
    // Sequences jump in a healthy block only by what was skipped; a candidate beyond is not worth a checksum.
    private const ulong WidestJump = 1UL << 40;

    private readonly ReadOnlySpan<byte> _block = block;
    private ulong _lowest = firstSequence;

    /// <summary>Where the record found last lies.</summary>
    public int Position { get; private set; } = BlockHeader.Bytes;

    /// <summary>The record found last.</summary>
    public ReadOnlySpan<byte> Record { get; private set; }

    /// <summary>Bytes that were skipped before it because no intact record is in them.</summary>
    public int Skipped { get; private set; }

    /// <summary>The end of the last intact record.</summary>
    public int End { get; private set; } = BlockHeader.Bytes;

    /// <summary>Finds the next intact record; false at the end, with what is left in <see cref="Skipped"/>.</summary>
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

// Hot path: Record.Seal, Record.IsIntact -> this. Allocations: none.
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Postrider.Storage.Records;

/// <summary>CRC-32C (Castagnoli), the checksum of every record, header and index of the file store.</summary>
/// <remarks>The processor's instruction has a latency of three cycles and a throughput of one, so long inputs are split
/// into three lanes that are computed in parallel and joined by a carry-less multiplication.
/// Thread-safe: no state. Source: RFC 3720, appendix B.4.</remarks>
internal static class Crc32C
{
    private const int WordBytes = 8;
    private const int Lanes = 3;
    private const int MaxLaneWords = 32;

    // Joining three lanes costs about 12 ns, which they win back from here on: 0.8 of the time for 160 bytes, 0.5 for 500.
    private const int MinBytesForLanes = 144;

    // The reflected polynomial, for computing the join constants once.
    private const uint Polynomial = 0x82F63B78;

    // By the number of words that follow a lane.
    private static readonly ulong[] Shifts = MakeShifts();

    /// <summary>Checksum of <paramref name="data"/>; <paramref name="seed"/> is included as if it preceded the data.</summary>
    public static uint Compute(ReadOnlySpan<byte> data, uint seed = 0)
    {
        var crc = ~seed;
        if (data.Length >= MinBytesForLanes && Sse42.X64.IsSupported && Pclmulqdq.IsSupported)
        {
            crc = ComputeLanes(ref data, crc);
        }

        ref var start = ref MemoryMarshal.GetReference(data);
        var length = data.Length;
        var i = 0;
        for (; i <= length - 8; i += 8)
        {
            crc = BitOperations.Crc32C(crc, Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, i)));
        }

        if (i <= length - 4)
        {
            crc = BitOperations.Crc32C(crc, Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, i)));
            i += 4;
        }

        for (; i < length; i++)
        {
            crc = BitOperations.Crc32C(crc, Unsafe.Add(ref start, i));
        }

        return ~crc;
    }

    private static uint ComputeLanes(ref ReadOnlySpan<byte> data, uint crc)
    {
        do
        {
            var words = Math.Min((uint)data.Length / (Lanes * WordBytes), MaxLaneWords);
            var bytes = (int)words * WordBytes;
            ulong a = crc, b = 0, c = 0;
            ref var lane = ref MemoryMarshal.GetReference(data);
            for (var i = 0; i < bytes; i += WordBytes)
            {
                a = Sse42.X64.Crc32(a, Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref lane, i)));
                b = Sse42.X64.Crc32(b, Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref lane, bytes + i)));
                c = Sse42.X64.Crc32(c, Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref lane, 2 * bytes + i)));
            }

            var shiftedA = Pclmulqdq.CarrylessMultiply(Vector128.CreateScalar(a), Vector128.CreateScalar(Shifts[2 * words]), 0).ToScalar();
            var shiftedB = Pclmulqdq.CarrylessMultiply(Vector128.CreateScalar(b), Vector128.CreateScalar(Shifts[words]), 0).ToScalar();
            crc = (uint)(Sse42.X64.Crc32(0, shiftedA ^ shiftedB) ^ c);
            data = data[(Lanes * bytes)..];
        }
        while (data.Length >= MinBytesForLanes);

        return crc;
    }

    // For n words: x to the power 64 n - 33 modulo the polynomial, in the reflected order of bits. 33 of the bits come from the
    // carry-less product and the instruction that reduces it.
    private static ulong[] MakeShifts()
    {
        var shifts = new ulong[(2 * MaxLaneWords) + 1];
        var value = 0x80000000u;
        var power = 0;
        for (var words = 1; words < shifts.Length; words++)
        {
            for (; power < (64 * words) - 33; power++)
            {
                value = (value & 1) != 0 ? (value >> 1) ^ Polynomial : value >> 1;
            }

            shifts[words] = value;
        }

        return shifts;
    }
}

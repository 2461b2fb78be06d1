using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Postrider.Flow.Pumps;

/// <summary>Values by index if their number is not known: pooled arrays, each twice as long as the previous one.</summary>
/// <remarks>Writers of different indexes do not conflict. Rented and returned as a whole.</remarks>
internal sealed class Segments<TEntry>
{
    private const int FirstLength = 64;
    private const int FirstShift = 6;

    private readonly Lock _gate = new();   // guards creating a segment
    private readonly TEntry[]?[] _segments = new TEntry[]?[26];

    public ref TEntry this[long index]
    {
        get
        {
            var k = BitOperations.Log2((ulong)(index >> FirstShift) + 1);
            var segment = Volatile.Read(ref _segments[k]) ?? Make(k);
            return ref segment[index - (((1L << k) - 1) << FirstShift)];
        }
    }

    public static Segments<TEntry> Rent() => PumpPool<Segments<TEntry>>.Rent();

    public void Return()
    {
        for (var k = 0; k < _segments.Length; k++)
        {
            if (_segments[k] is not { } segment)
                continue;
            _segments[k] = null;
            ArrayPool<TEntry>.Shared.Return(segment, RuntimeHelpers.IsReferenceOrContainsReferences<TEntry>());
        }
        PumpPool<Segments<TEntry>>.Return(this);
    }

    private TEntry[] Make(int k)
    {
        lock (_gate)
        {
            if (_segments[k] is { } made)
                return made;
            made = ArrayPool<TEntry>.Shared.Rent(FirstLength << k);
            // An entry with its default value has not been written.
            Array.Clear(made);
            Volatile.Write(ref _segments[k], made);
            return made;
        }
    }
}

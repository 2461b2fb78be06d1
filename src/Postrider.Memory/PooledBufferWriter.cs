using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Postrider.Memory;

/// <summary>A buffer that grows with what is written to it and returns its memory to the shared pool.</summary>
/// <remarks>For texts and archives that may be large: an array of more than 85,000 bytes is only collected with the oldest generation,
/// and until then counts as memory of the process. Not thread-safe.</remarks>
internal sealed class PooledBufferWriter : IBufferWriter<byte>, IDisposable
{
    /// <summary>Longer arrays are not taken from the pool and not returned to it: it would keep up to 64 of each size, and gives them back
    /// only when the oldest generation is collected after they were unused for a minute.</summary>
    public const int MaxPooledBytes = 1024 * 1024;

    private const int FirstBytes = 1024;

    private byte[] _bytes = [];

    /// <summary>The number of bytes written.</summary>
    public int WrittenCount { get; private set; }

    /// <summary>The bytes written: valid until the next call that changes them.</summary>
    public ReadOnlySpan<byte> WrittenSpan => _bytes.AsSpan(0, WrittenCount);

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _bytes.Length - WrittenCount);
        WrittenCount += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsMemory(WrittenCount);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsSpan(WrittenCount);
    }

    /// <summary>Removes the first bytes; the others move to the front.</summary>
    /// <param name="count">At most <see cref="WrittenCount"/>.</param>
    public void RemoveFirst(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, WrittenCount);
        BulkCopy.Copy(_bytes.AsSpan(count, WrittenCount - count), _bytes);
        WrittenCount -= count;
    }

    /// <summary>Returns the memory; the buffer is empty afterwards, and may be used again.</summary>
    public void Dispose()
    {
        Return(_bytes);
        _bytes = [];
        WrittenCount = 0;
    }

    /// <summary>Takes an array.</summary>
    /// <param name="bytes">Its length at least.</param>
    /// <returns>An array with any contents: to be returned with <see cref="Return"/>.</returns>
    public static byte[] Rent(int bytes) => bytes <= MaxPooledBytes ? ArrayPool<byte>.Shared.Rent(bytes) : GC.AllocateUninitializedArray<byte>(bytes);

    /// <summary>Returns an array of <see cref="Rent"/>, or an empty one.</summary>
    /// <param name="array">The array.</param>
    public static void Return(byte[] array)
    {
        if (array.Length is > 0 and <= MaxPooledBytes) ArrayPool<byte>.Shared.Return(array);
    }

    private void EnsureRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        var needed = WrittenCount + (long)Math.Max(sizeHint, 1);
        if (needed <= _bytes.Length) return;
        if (needed > Array.MaxLength) ThrowTooLarge(needed);
        var larger = Rent((int)Math.Min(Array.MaxLength, Math.Max(needed, Math.Max(FirstBytes, 2L * _bytes.Length))));
        BulkCopy.Copy(WrittenSpan, larger);
        Return(_bytes);
        _bytes = larger;
    }

#pragma warning disable MA0012, CA2201 // What the framework's own buffer writer throws.
    [DoesNotReturn]
    private static void ThrowTooLarge(long bytes) => throw new OutOfMemoryException($"A buffer of {bytes} bytes is needed; the limit is {Array.MaxLength}.");
#pragma warning restore MA0012, CA2201
}

using System.Buffers;

namespace Postrider.Serialization;

/// <summary>A message as contiguous memory, copied into a pooled array if it was received in several segments.</summary>
/// <remarks>Kestrel's segments are 4 KB, and System.Text.Json checks for the end of a segment at every token that it reads from a sequence.</remarks>
internal readonly ref struct ContiguousInput
{
    private readonly byte[]? _rented;

    public ContiguousInput(in ReadOnlySequence<byte> input)
    {
        if (input.IsSingleSegment)
        {
            Span = input.FirstSpan;
            return;
        }

        var length = checked((int)input.Length);
        _rented = ArrayPool<byte>.Shared.Rent(length);
        input.CopyTo(_rented);
        Span = _rented.AsSpan(0, length);
    }

    /// <summary>Valid until this is disposed.</summary>
    public ReadOnlySpan<byte> Span { get; }

    public void Dispose()
    {
        if (_rented is not null)
            ArrayPool<byte>.Shared.Return(_rented);
    }
}

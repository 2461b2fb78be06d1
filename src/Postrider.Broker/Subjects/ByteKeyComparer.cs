using System.Diagnostics.CodeAnalysis;

namespace Postrider.Broker.Subjects;

/// <summary>Compares keys by their bytes, so that a dictionary of arrays can be searched with spans.</summary>
internal sealed class ByteKeyComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    public static readonly ByteKeyComparer Instance = new();

    private ByteKeyComparer()
    {
    }

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode(ReadOnlySpan<byte> alternate) => ByteHash.Compute(alternate).GetHashCode();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode([DisallowNull] byte[] obj) => ByteHash.Compute(obj).GetHashCode();
}

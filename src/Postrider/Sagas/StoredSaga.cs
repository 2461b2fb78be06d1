namespace Postrider.Sagas;

/// <summary>The stored state of a saga: opaque bytes with a revision.</summary>
/// <param name="Revision">The revision by which a store finds out that another message was faster; greater than 0 for what is stored.</param>
/// <param name="Data">The bytes: what belongs to the library, and the state in the format of its serializer.</param>
public sealed record StoredSaga(long Revision, ReadOnlyMemory<byte> Data)
{
    /// <summary>After this time the store may remove it; null for never. Set when the saga has ended.</summary>
    public DateTimeOffset? ExpiresAt { get; init; }
}

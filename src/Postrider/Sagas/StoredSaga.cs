namespace Postrider.Sagas;

/// <summary>The stored state of a saga: opaque bytes with a revision.</summary>
/// <param name="Revision">The revision with which a store detects that another message was stored first; greater than 0 for a stored state.</param>
/// <param name="Data">The bytes: the library's own data, and the state in the format of its serializer.</param>
public sealed record StoredSaga(long Revision, ReadOnlyMemory<byte> Data)
{
    /// <summary>After this time the store may remove it; null for never. Set when the saga has ended.</summary>
    public DateTimeOffset? ExpiresAt { get; init; }
}

using System.Buffers;

namespace Postrider.Broker.Routing;

/// <summary>The header block of the response 503 No Responders. It is written without an allocation, because a client may send very many
/// requests that nobody answers.</summary>
internal readonly ref struct NoRespondersHeaders
{
    /// <summary>A buffer size that is large enough for usual subjects.</summary>
    public const int UsualBytes = 256;

    private readonly byte[]? _rented;

    /// <summary>Writes the block.</summary>
    /// <param name="subject">The subject without a responder.</param>
    /// <param name="room">The buffer, which is used if it is large enough; see <see cref="UsualBytes"/>.</param>
    public NoRespondersHeaders(ReadOnlySpan<byte> subject, Span<byte> room)
    {
        var before = "NATS/1.0 503\r\nNats-Subject: "u8;
        var after = "\r\n\r\n"u8;
        var length = before.Length + subject.Length + after.Length;
        if (length > room.Length) room = _rented = ArrayPool<byte>.Shared.Rent(length);
        before.CopyTo(room);
        subject.CopyTo(room[before.Length..]);
        after.CopyTo(room[(before.Length + subject.Length)..]);
        Bytes = room[..length];
    }

    /// <summary>The block.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Returns the rented buffer, if there is one.</summary>
    public void Dispose()
    {
        if (_rented is not null) ArrayPool<byte>.Shared.Return(_rented);
    }
}

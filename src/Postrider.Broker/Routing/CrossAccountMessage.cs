using Postrider.Broker.Tracing;

namespace Postrider.Broker.Routing;

/// <summary>A message that is forwarded between accounts. The spans are valid during the call.</summary>
/// <param name="subject">The subject that it is published to.</param>
/// <param name="shownSubject">The subject that subscribers see instead; empty when it is the same.</param>
/// <param name="replyTo">The reply subject, or empty.</param>
/// <param name="headers">The header block, or empty.</param>
/// <param name="payload">The payload.</param>
/// <param name="trace">The message's trace; null for most messages.</param>
internal readonly ref struct CrossAccountMessage(
    ReadOnlySpan<byte> subject, ReadOnlySpan<byte> shownSubject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload,
    MessageTrace? trace = null)
{
    /// <summary>The subject that it is published to.</summary>
    public readonly ReadOnlySpan<byte> Subject = subject;

    /// <summary>The subject that subscribers see instead; empty when it is the same.</summary>
    public readonly ReadOnlySpan<byte> ShownSubject = shownSubject;

    /// <summary>The reply subject, or empty.</summary>
    public readonly ReadOnlySpan<byte> ReplyTo = replyTo;

    /// <summary>The header block, or empty.</summary>
    public readonly ReadOnlySpan<byte> Headers = headers;

    /// <summary>The payload.</summary>
    public readonly ReadOnlySpan<byte> Payload = payload;

    /// <summary>The message's trace; null for most messages.</summary>
    public readonly MessageTrace? Trace = trace;

    /// <summary>The subject that an internal subscriber receives.</summary>
    public ReadOnlySpan<byte> SubjectFor(IInternalSubscriber handler) => ShownSubject.IsEmpty || !handler.TakesShownSubject ? Subject : ShownSubject;
}

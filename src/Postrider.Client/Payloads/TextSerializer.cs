using System.Buffers;

namespace Postrider.Client.Payloads;

/// <summary>Values as their invariant text in UTF-8.</summary>
internal sealed class TextSerializer<T> : IPayloadSerializer<T>
    where T : IUtf8SpanFormattable, IUtf8SpanParsable<T>
{
    // No built-in type that is served here needs more.
    private const int MaxTextBytes = 512;

    public void Serialize(IBufferWriter<byte> target, T value)
    {
        if (!value.TryFormat(target.GetSpan(MaxTextBytes), out var written, default, null))
            throw new FormatException($"The text of a {typeof(T)} exceeds {MaxTextBytes} bytes.");
        target.Advance(written);
    }

    public T Deserialize(ReadOnlySpan<byte> payload) => T.Parse(payload, null);
}

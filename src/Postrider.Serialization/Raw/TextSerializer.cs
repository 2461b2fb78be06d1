using System.Buffers;
using System.Globalization;

namespace Postrider.Serialization.Raw;

/// <summary>Values as their invariant text in UTF-8.</summary>
internal sealed class TextSerializer<T> : Serializer<T>
    where T : IUtf8SpanFormattable, IUtf8SpanParsable<T>
{
    // No built-in type handled here needs more.
    private const int MaxTextBytes = 512;

    private static string Form
        => typeof(T) == typeof(Guid) ? "a GUID"
            : typeof(T) == typeof(double) || typeof(T) == typeof(decimal) ? "a number within the range of the type" : "an integer within the range of the type";

    public override string ContentType => TextSerializerProvider.MediaType;

    public override void Write(IBufferWriter<byte> output, T value)
    {
        if (!value.TryFormat(output.GetSpan(MaxTextBytes), out var written, default, CultureInfo.InvariantCulture))
            throw InvalidValue($"Its text exceeds {MaxTextBytes} bytes.");
        output.Advance(written);
    }

    public override T Read(ReadOnlySpan<byte> input)
        => T.TryParse(input, CultureInfo.InvariantCulture, out var value) ? value : throw InvalidData($"The text is not {Form}.");
}

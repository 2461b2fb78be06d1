using System.Buffers;
using System.Text;

namespace Postrider.Serialization.Raw;

/// <summary>Strings as UTF-8.</summary>
internal sealed class Utf8Serializer : Serializer<string>
{
    public override string ContentType => TextSerializerProvider.MediaType;

    public override void Write(IBufferWriter<byte> output, string value)
        => Encoding.UTF8.GetBytes(value ?? throw InvalidValue("A null text cannot be sent. Send an empty one."), output);

    public override string Read(ReadOnlySpan<byte> input) => Encoding.UTF8.GetString(input);

    public override string Read(in ReadOnlySequence<byte> input) => Encoding.UTF8.GetString(input);
}

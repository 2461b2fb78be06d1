using System.Text;
using Postrider.Serialization;

namespace Postrider.UnitTests.Serialization;

public sealed class TextSerializerTests
{
    [Fact]
    public void Values_are_their_invariant_text()
    {
        Same("größe", "größe");
        Same(-7, "-7");
        Same(7u, "7");
        Same(long.MinValue, "-9223372036854775808");
        Same(ulong.MaxValue, "18446744073709551615");
        Same(1.5, "1.5");
        Same(1.50m, "1.50");
        Same(Guid.Empty, "00000000-0000-0000-0000-000000000000");
    }

    [Fact]
    public void Text_that_is_no_number_names_type_and_content_type()
    {
        var failure = Assert.Throws<SerializerException>(() => TextSerializerProvider.Instance.Get<int>().Read("seven"u8));

        Assert.Equal(SerializerError.InvalidData, failure.Error);
        Assert.Equal("The bytes are not a valid System.Int32 in text/plain. The text is not an integer within the range of the type.", failure.Message);
    }

    [Fact]
    public void Null_text_is_refused()
        => Assert.Equal(SerializerError.InvalidValue, Assert.Throws<SerializerException>(() => Write<string>(null!)).Error);

    private static void Same<T>(T value, string text)
    {
        var serializer = TextSerializerProvider.Instance.Get<T>();

        Assert.Equal(text, Encoding.UTF8.GetString(Write(value)));
        Assert.Equal(value, serializer.Read(Encoding.UTF8.GetBytes(text)));
        Assert.Equal("text/plain", serializer.ContentType);
    }

    private static byte[] Write<T>(T value)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        TextSerializerProvider.Instance.Get<T>().Write(output, value);
        return output.WrittenSpan.ToArray();
    }
}

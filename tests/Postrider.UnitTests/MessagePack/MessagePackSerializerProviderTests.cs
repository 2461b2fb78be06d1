using System.Buffers;
using Postrider.MessagePack;
using Postrider.Serialization;

namespace Postrider.UnitTests.MessagePack;

public sealed class MessagePackSerializerProviderTests
{
    private static readonly MessagePackSerializerProvider s_serializers = new(Contracts.Default);

    [Fact]
    public void Bytes_are_those_of_the_formatter()
    {
        var buffer = new ArrayBufferWriter<byte>();

        s_serializers.Get<Person>().Write(buffer, new Person("Ada", 36) { Favorite = Color.Green });

        Assert.Equal(MessagePackSerializer.Serialize(new Person("Ada", 36) { Favorite = Color.Green }, Contracts.Default.Person), buffer.WrittenSpan);
    }

    [Fact]
    public void Built_in_types_need_no_context_and_others_have_no_serializer()
    {
        var serializers = new MessagePackSerializerProvider();

        Assert.NotNull(serializers.Find<DateTimeOffset>());
        Assert.Null(serializers.Find<Version>());
    }

    [Fact]
    public void Limits_bound_what_is_read()
    {
        var bytes = MessagePackSerializer.Serialize(new Person("Ada Lovelace", 36) { Favorite = Color.Red }, Contracts.Default.Person);
        var narrow = new MessagePackSerializerProvider(Contracts.Default, new MessagePackLimits { MaxBytes = 8 });

        var failure = Assert.Throws<SerializerException>(() => narrow.Get<Person>().Read(bytes));

        Assert.Equal(MessagePackError.TooLong, Assert.IsType<MessagePackException>(failure.InnerException).Error);
    }

    [Theory]
    [InlineData("application/msgpack", true)]
    [InlineData("Application/X-MsgPack", true)]
    [InlineData("application/json", false)]
    public void Media_types_of_the_format_are_accepted(string mediaType, bool isAccepted)
        => Assert.Equal(isAccepted, s_serializers.Accepts(mediaType));
}

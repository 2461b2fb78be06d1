using Postrider.MessagePack;
using Postrider.Serialization;

namespace Postrider.UnitTests.Serialization;

public sealed class SerializerSetTests
{
    private static readonly JsonSerializerProvider s_json = new(LetterJson.Default);
    private static readonly MessagePackSerializerProvider s_messagePack = new(LetterMessages.Default);

    [Fact]
    public void First_format_that_supports_a_type_serializes_it()
    {
        var set = new SerializerSet(s_messagePack, s_json);

        Assert.Equal("application/msgpack", set.Find<Letter>()!.ContentType);
        Assert.Equal("application/json", set.Find<FetchBytes>()!.ContentType);
        Assert.Null(set.Find<Version>());
    }

    [Fact]
    public void Set_accepts_what_one_of_its_formats_accepts()
    {
        var set = new SerializerSet(s_json, s_messagePack);

        Assert.True(set.Accepts("APPLICATION/X-MSGPACK"));
        Assert.False(set.Accepts("application/xml"));
    }

    [Fact]
    public void Set_in_a_set_adds_its_formats_one_by_one()
        => Assert.Equal([BytesSerializerProvider.Instance, s_json, s_messagePack], new SerializerSet(BytesSerializerProvider.Instance, new SerializerSet(s_json, s_messagePack)).Providers);

    [Fact]
    public void Set_without_a_format_is_refused() => Assert.Throws<ArgumentException>(() => new SerializerSet());

    [Fact]
    public void Missing_serializer_names_type_and_content_types()
    {
        var failure = Assert.Throws<SerializerException>(() => s_json.Get<Version>());

        Assert.Equal(SerializerError.NoSerializer, failure.Error);
        Assert.Equal("The serializers of application/json do not support System.Version. Add the type to its context.", failure.Message);
    }
}

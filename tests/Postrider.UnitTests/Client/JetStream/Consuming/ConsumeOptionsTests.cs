using Postrider.Client;
using Postrider.Client.JetStream;

namespace Postrider.UnitTests.Client.JetStream.Consuming;

public sealed class ConsumeOptionsTests
{
    [Fact]
    public void Limits_of_messages_and_of_bytes_are_refused_together()
    {
        var refused = Assert.Throws<NatsClientException>(() => new ConsumeOptions { MaxMessages = 10, MaxBytes = 1000 }.Plan("s", "c"));

        Assert.Equal((NatsErrorCode.InvalidOption, "ConsumeOptions.MaxBytes cannot be combined with MaxMessages."), (refused.Code, refused.Message));
    }

    [Fact]
    public void Limit_of_bytes_alone_leaves_the_number_of_messages_to_the_bytes()
    {
        var settings = new ConsumeOptions { MaxBytes = 1000 }.Plan("s", "c");

        Assert.Equal((1_000_000, 1000L), (settings.MaxMessages, settings.MaxBytes));
    }

    [Fact]
    public void Limit_of_messages_is_500_where_none_is_given()
        => Assert.Equal((500, 0L), new ConsumeOptions().Plan("s", "c") is var settings ? (settings.MaxMessages, settings.MaxBytes) : default);
}

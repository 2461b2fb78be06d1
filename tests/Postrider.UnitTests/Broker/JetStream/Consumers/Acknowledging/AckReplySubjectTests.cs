using System.Text;
using Postrider.Broker.JetStream.Consumers.Acknowledging;

namespace Postrider.UnitTests.Broker.JetStream.Consumers.Acknowledging;

public sealed class AckReplySubjectTests
{
    [Theory]
    [InlineData("$JS.ACK.S.C.1.20.3.1700000000123456789.4", "", 20UL, 3UL, 1UL)]
    [InlineData("$JS.ACK.hub.ACC.S.C.2.7.8.1700000000123456789.0.random", "hub.ACC", 7UL, 8UL, 2UL)]
    [InlineData("$JS.ACK.hub.ACC.S.C.2.7.8.1700000000123456789.0", "hub.ACC", 7UL, 8UL, 2UL)]
    [InlineData("$JS.ACK.S.C.1.18446744073709551615.18446744073709551615.0.0", "", ulong.MaxValue, ulong.MaxValue, 1UL)]
    public void Subject_is_parsed(string subject, string scope, ulong streamSequence, ulong consumerSequence, ulong deliveries)
    {
        Assert.True(AckReplySubject.TryParse(Encoding.UTF8.GetBytes(subject), out var foundScope, out var owner, out var ack));

        Assert.Equal((scope, "S.C"), (Encoding.UTF8.GetString(foundScope), Encoding.UTF8.GetString(owner)));
        Assert.Equal((streamSequence, consumerSequence, deliveries), (ack.StreamSequence, ack.ConsumerSequence, ack.Deliveries));
    }

    [Theory]
    [InlineData("1.20.3.1700000000123456789.4", true)]
    [InlineData("1.18446744073709551615.3.5.4", true)]
    [InlineData("1.18446744073709551616.3.5.4", false)]
    [InlineData("1.28446744073709551615.3.5.4", false)]
    [InlineData("1.184467440737095516150.3.5.4", false)]
    [InlineData("1.20.3.5", false)]
    [InlineData("1.20.3", false)]
    [InlineData("1.20.3.", false)]
    [InlineData("1.20.3.5.4.6", false)]
    [InlineData("1.20.x3.5.4", false)]
    [InlineData("1.2 0.3.5.4", false)]
    [InlineData("1..3.5.4", false)]
    [InlineData(".20.3.5.4", false)]
    [InlineData("-1.20.3.5.4", false)]
    [InlineData("", false)]
    public void Numbers_are_five_or_refused(string numbers, bool expected)
        => Assert.Equal(expected, AckReplySubject.TryParseNumbers(Encoding.UTF8.GetBytes(numbers), out _));
}

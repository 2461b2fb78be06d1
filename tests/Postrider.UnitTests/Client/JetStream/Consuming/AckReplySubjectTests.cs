using System.Text;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Consuming;

namespace Postrider.UnitTests.Client.JetStream.Consuming;

public sealed class AckReplySubjectTests
{
    [Theory]
    [InlineData("$JS.ACK.ORDERS.work.1.20.3.1700000000123456789.4", "ORDERS", "work", null)]
    [InlineData("$JS.ACK._.ACC123.ORDERS.work.1.20.3.1700000000123456789.4", "ORDERS", "work", null)]
    [InlineData("$JS.ACK.hub.ACC123.ORDERS.work.1.20.3.1700000000123456789.4.random", "ORDERS", "work", "hub")]
    [InlineData("$JS.ACK.hub.ACC123.ORDERS.work.1.20.3.1700000000123456789.4.more.tokens", "ORDERS", "work", "hub")]
    public void Reply_subject_is_read_and_written_again(string subject, string stream, string consumer, string? domain)
    {
        AckPrefix? known = null;

        var delivery = AckReplySubject.Read(Encoding.UTF8.GetBytes(subject), ref known);

        var time = DateTimeOffset.UnixEpoch.AddTicks(17_000_000_001_234_567);
        Assert.Equal(new MessageMetadata(stream, consumer, 20, 3, 1, 4, time, domain), delivery.Metadata);
        Assert.Equal(subject, Encoding.UTF8.GetString(delivery.Write(new byte[delivery.MaxBytes])));
    }

    [Fact]
    public void Largest_numbers_fit()
    {
        const string Subject = "$JS.ACK.S.C.9223372036854775807.18446744073709551615.18446744073709551615.9223372036854775807.18446744073709551615";
        AckPrefix? known = null;

        var delivery = AckReplySubject.Read(Encoding.UTF8.GetBytes(Subject), ref known);

        Assert.Equal(Subject, Encoding.UTF8.GetString(delivery.Write(new byte[delivery.MaxBytes])));
    }

    [Theory]
    [InlineData("")]
    [InlineData("_INBOX.a.b.c.d.e.f.g.h")]
    [InlineData("$JS.ACK.S.C.1.2.3")]
    [InlineData("$JS.ACK.S.C.1.2.3.4.5.6")]
    [InlineData("$JS.FC.S.C.1.2.3.4.5")]
    public void Other_subject_is_not_known(string subject)
    {
        AckPrefix? known = null;

        var delivery = AckReplySubject.Read(Encoding.UTF8.GetBytes(subject), ref known);

        Assert.False(delivery.IsKnown);
        Assert.Null(known);
    }

    [Fact]
    public void Another_consumers_message_gets_another_prefix()
    {
        AckPrefix? known = null;
        AckReplySubject.Read("$JS.ACK.S.first.1.2.3.4.5"u8, ref known);

        var second = AckReplySubject.Read("$JS.ACK.S.second.1.2.3.4.5"u8, ref known);

        Assert.Equal("second", second.Metadata.Consumer);
    }

    [Fact]
    public void Reading_and_writing_allocate_nothing_while_one_consumer_delivers()
    {
        var subject = "$JS.ACK.ORDERS.work.1.20.3.1700000000123456789.4"u8.ToArray();
        var target = new byte[256];
        AckPrefix? known = null;

        Assert.Equal(0, Allocations.PerCall(() => AckReplySubject.Read(subject, ref known).Write(target)));
    }
}

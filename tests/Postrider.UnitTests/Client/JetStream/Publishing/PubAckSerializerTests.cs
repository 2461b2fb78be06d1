using System.Text;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Publishing;

namespace Postrider.UnitTests.Client.JetStream.Publishing;

public sealed class PubAckSerializerTests
{
    [Fact]
    public void Acknowledgement_is_read_in_any_order_with_what_is_unknown()
    {
        var plain = Read("""{"stream":"ORDERS","seq":18446744073709551615}""");
        var full = Read("""{"new":{"a":[1,{}]},"val":"42","count":3,"batch":"b1","domain":"hub","duplicate":true,"seq":7,"stream":"A\u0042"}""");

        Assert.Equal(new PublishAck("ORDERS", ulong.MaxValue, false, null, null, 0, null), plain.Ack);
        Assert.Equal(new PublishAck("AB", 7, true, "hub", "b1", 3, "42"), full.Ack);
    }

    [Fact]
    public void Refusal_becomes_an_exception_that_says_everything()
    {
        var reply = Read("""{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 3"},"stream":"ORDERS","seq":0}""");

        var error = reply.ToException("orders.new");

        Assert.Equal((400, 10071, "wrong last sequence: 3"), (error.ApiCode, error.ErrorCode, error.Description));
        Assert.Equal("Publish to 'orders.new': wrong last sequence: 3 (err_code 10071, code 400)", error.Message);
    }

    [Theory]
    [InlineData("")]
    [InlineData("hello")]
    [InlineData("{}")]
    [InlineData("""{"seq":1}""")]
    [InlineData("""{"stream":"ORDERS","seq":""")]
    [InlineData("""{"stream":"ORDERS","seq":-1}""")]
    public void What_is_no_acknowledgement_is_an_error(string payload) => Assert.ThrowsAny<Exception>(() => Read(payload));

    [Fact]
    public void Reading_allocates_nothing_while_one_stream_answers()
    {
        var reader = new PubAckSerializer();
        var payload = """{"stream":"ORDERS","seq":12345}"""u8.ToArray();

        Assert.Equal(0, Allocations.PerCall(() => reader.Read(payload)));
    }

    private static PubAckReply Read(string payload) => new PubAckSerializer().Read(Encoding.UTF8.GetBytes(payload));
}

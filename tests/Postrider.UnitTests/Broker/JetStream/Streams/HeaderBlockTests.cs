using System.Text;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Header blocks that no client library writes; nats-server treats them in the same way.</summary>
public sealed class HeaderBlockTests
{
    [Theory]
    [InlineData("X")]
    [InlineData("\r\n")]
    public void Message_with_a_block_of_one_or_two_bytes_is_read_directly(string block)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"allow_direct":true}""");
        engine.Publish("a", Encoding.ASCII.GetBytes(block), "1");
        engine.Store("a", "2");

        var single = engine.Request("$JS.API.DIRECT.GET.S", """{"seq":1}""").Single();
        var batch = engine.Request("$JS.API.DIRECT.GET.S", """{"seq":1,"batch":2}""");

        Assert.Equal("1", single.Payload);
        Assert.StartsWith("NATS/1.0\r\nNats-Stream: S\r\nNats-Subject: a\r\nNats-Sequence: 1\r\n", single.Headers, StringComparison.Ordinal);
        Assert.Equal(["1", "2", ""], batch.Select(static message => message.Payload));
    }

    [Fact]
    public void Message_with_a_block_of_one_byte_is_republished()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"republish":{"src":"a","dest":"again"}}""");
        using var again = engine.Listen("again");

        var acknowledgement = engine.Publish("a", "X"u8.ToArray(), "1");

        Assert.Null(acknowledgement["error"]);
        Assert.StartsWith("NATS/1.0\r\nNats-Stream: S\r\n", again.Messages.Single().Headers, StringComparison.Ordinal);
    }
}

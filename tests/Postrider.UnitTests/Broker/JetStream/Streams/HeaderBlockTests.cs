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

    [Theory]
    [InlineData("Nats-Msg-Id: a \r\n")]
    [InlineData("Nats-Msg-Id:\ta\r\n")]
    [InlineData("Nats-Msg-Id:\r\nNats-Msg-Id: a\r\n")]
    [InlineData("Other: x\nNats-Msg-Id: a\r\n")]
    public void Id_that_differs_is_another_one(string lines)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
        engine.Store("a", "1", ("Nats-Msg-Id", "a"));

        var acknowledgement = engine.Publish("a", Block(lines), "2");

        Assert.Equal("""{"stream":"S","seq":2}""", acknowledgement.ToJsonString());
        Assert.Equal(["1 a 1", "2 a 2"], engine.Contents("S"));
    }

    [Theory]
    [InlineData("Nats-Msg-Id:a\r\n")]
    [InlineData("Nats-Msg-Id:   a\r\n")]
    [InlineData("Nats-Msg-Id: a\r\nNats-Msg-Id: b\r\n")]
    public void Id_that_is_the_same_counts_once(string lines)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
        engine.Store("a", "1", ("Nats-Msg-Id", "a"));

        Assert.Equal("""{"stream":"S","seq":1,"duplicate":true}""", engine.Publish("a", Block(lines), "2").ToJsonString());
    }

    [Theory]
    [InlineData("Nats-TTL: 5 ", "10165")]
    [InlineData("Nats-Rollup: sub ", "10111")]
    [InlineData("Nats-Schedule: @at  2030-01-01T00:00:00Z", "10189")]
    [InlineData("Nats-Schedule: @at 2030-01-01T00:00:00Z ", "10189")]
    public void Value_with_a_blank_too_many_is_invalid(string line, string error)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a","b"],"allow_msg_ttl":true,"allow_rollup_hdrs":true,"allow_msg_schedules":true}""");

        var answer = engine.Publish("a", Block($"{line}\r\nNats-Schedule-Target: b\r\n"));

        Assert.Equal(error, $"{answer["error"]?["err_code"]}");
    }

    [Fact]
    public void Increment_with_a_blank_after_it_is_invalid()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.C", """{"name":"C","subjects":["c"],"allow_msg_counter":true}""");

        Assert.Equal("10171 message counter increment is invalid", engine.Refused("c", "", ("Nats-Incr", "3 ")));
    }

    [Fact]
    public void Lines_that_end_with_a_line_feed_alone_are_no_headers()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");

        var acknowledgement = engine.Publish("a", Encoding.ASCII.GetBytes("NATS/1.0\nNats-Expected-Last-Sequence: 7\n\n"), "1");

        Assert.Equal("""{"stream":"S","seq":1}""", acknowledgement.ToJsonString());
    }

    [Theory]
    [InlineData("NATS/1.0 100 Idle Heartbeat\r\n\r\n", "")]
    [InlineData("NATS/1.0 503\r\nA: b\r\n\r\n", "NATS/1.0\r\nA: b\r\n\r\n")]
    [InlineData("NATS/1.0\r\n\r\n", "NATS/1.0\r\n\r\n")]
    [InlineData("NATS/1.0 503", "NATS/1.0 503")]
    public void Status_of_a_publisher_is_not_stored(string block, string stored)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
        engine.Publish("a", Encoding.ASCII.GetBytes(block), "1");

        var headers = (string?)engine.Do("STREAM.MSG.GET.S", """{"seq":1}""")["message"]!["hdrs"];

        Assert.Equal(stored, headers is null ? "" : Encoding.ASCII.GetString(Convert.FromBase64String(headers)));
    }

    private static byte[] Block(string lines) => Encoding.ASCII.GetBytes($"NATS/1.0\r\n{lines}\r\n");
}

using System.Text;
using Postrider.Client;

namespace Postrider.UnitTests.Client.Payloads;

public sealed class NatsHeadersTests
{
    [Fact]
    public void What_is_written_is_read_again()
    {
        var headers = new NatsHeaders { ["One"] = "1", ["Two"] = "zwölf" };
        headers.Add("One", "again");
        var block = new byte[headers.CountBytes()];

        headers.Write(block);

        Assert.Equal("NATS/1.0\r\nOne: 1\r\nTwo: zwölf\r\nOne: again\r\n\r\n", Encoding.UTF8.GetString(block));
        var read = new NatsHeaders(block);
        Assert.Equal(headers, read);
        Assert.Equal(["1", "again"], read.GetValues("One"));
        Assert.Null(read["one"]);
    }

    [Theory]
    [InlineData("NATS/1.0 503\r\n\r\n", 503, "")]
    [InlineData("NATS/1.0 100 Idle Heartbeat\r\nA: b\r\n\r\n", 100, "Idle Heartbeat")]
    [InlineData("NATS/1.0\r\nA: b\r\n\r\n", 0, "")]
    public void Status_is_read_from_the_first_line(string block, int status, string text)
    {
        var headers = new NatsHeaders(Encoding.ASCII.GetBytes(block));

        Assert.Equal((status, text), (headers.Status, headers.StatusText));
    }

    [Theory]
    [InlineData("", "x")]
    [InlineData("a b", "x")]
    [InlineData("a:b", "x")]
    [InlineData("a", "x\r\ninjected: y")]
    public void Name_or_value_that_would_be_another_header_is_refused(string name, string value)
        => Assert.Equal(NatsErrorCode.InvalidArgument, Assert.Throws<NatsClientException>(() => new NatsHeaders().Add(name, value)).Code);

    [Fact]
    public void Received_names_are_right_whatever_was_received_before()
    {
        // More names than are remembered, of which many share their length, first, middle and last byte, and one that is too long.
        string[] names = [.. Enumerable.Range(0, 1_000).Select(static i => $"A{i:000}x{i % 7}z"), new string('n', 100), "Nats-Msg-Id", "nats-Msg-Id"];

        for (var round = 0; round < 2; round++)
        {
            foreach (var name in names)
                Assert.Equal([new(name, "1")], new NatsHeaders(Encoding.ASCII.GetBytes($"NATS/1.0\r\n{name}: 1\r\n\r\n")));
        }
    }

    [Fact]
    public void Received_name_that_is_usual_is_a_text_that_is_there_already()
    {
        var block = "NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: 1\r\n\r\n"u8.ToArray();

        // Another test may receive a name with the same place in between.
        Assert.Contains(Enumerable.Range(0, 100), _ => ReferenceEquals(new NatsHeaders(block).First().Key, new NatsHeaders(block).First().Key));
    }

    [Fact]
    public void Received_values_are_right_whatever_was_received_before()
    {
        // Values that repeat, that differ each time, that equal the one before, that are empty, too long to be remembered, or not ASCII.
        string[] values = ["a", "a", "b", "", "", new('v', 65), new('v', 66), "Grüße", "Grüßé", .. Enumerable.Range(0, 500).Select(static i => $"id-{i / 2}")];

        for (var round = 0; round < 3; round++)
        {
            foreach (var value in values)
                Assert.Equal([new("Kind", value), new("Other", value), new("Kind", "b")], new NatsHeaders(Encoding.UTF8.GetBytes($"NATS/1.0\r\nKind: {value}\r\nOther: {value}\r\nKind: b\r\n\r\n")));
        }
    }

    [Fact]
    public void Received_value_that_repeats_is_a_text_that_is_there_already()
    {
        var block = "NATS/1.0\r\nReceived-Value-That-Repeats: application/json\r\nX: 1\r\nY: 1\r\n\r\n"u8.ToArray();

        // Another test may receive a name with the same place in between.
        Assert.Contains(Enumerable.Range(0, 100), _ => ReferenceEquals(new NatsHeaders(block).First().Value, new NatsHeaders(block).First().Value));
        var headers = new NatsHeaders(block).ToArray();
        Assert.Same(headers[1].Value, headers[2].Value);
    }
}

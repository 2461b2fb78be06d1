using System.Text;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

/// <summary>Messages whose header block no client library writes are delivered like others.</summary>
public sealed class OddHeaderDeliveryTests
{
    [Theory]
    [InlineData("X")]
    [InlineData("\r\n")]
    public void Block_of_one_or_two_bytes_does_not_stop_a_consumer_of_headers_only(string block)
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Engine.Store("a.1", "1");
        harness.Engine.Publish("a.2", Encoding.ASCII.GetBytes(block), "2");
        harness.Engine.Store("a.3", "3");
        harness.Durable("\"ack_policy\":\"explicit\",\"headers_only\":true");

        using var client = harness.Pull("""{"batch":3,"no_wait":true}""");

        var delivered = client.Take();
        Assert.Equal(3, delivered.Count);
        Assert.All(delivered, static message => Assert.Equal("NATS/1.0\r\nNats-Msg-Size: 1\r\n\r\n", message.Headers));
    }

    [Fact]
    public void Block_of_one_byte_does_not_stop_a_pinned_consumer()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Engine.Publish("a.1", "X"u8.ToArray(), "1");
        harness.Engine.Store("a.2", "2");
        harness.Durable("\"ack_policy\":\"explicit\",\"priority_policy\":\"pinned_client\",\"priority_groups\":[\"g\"],\"priority_timeout\":2000000000");

        using var client = harness.Pull("""{"batch":2,"group":"g"}""");

        var delivered = client.Take();
        Assert.Equal(["1", "2"], delivered.Select(static message => message.Payload));
        Assert.All(delivered, static message => Assert.StartsWith("NATS/1.0\r\nNats-Pin-Id: ", message.Headers, StringComparison.Ordinal));
    }
}

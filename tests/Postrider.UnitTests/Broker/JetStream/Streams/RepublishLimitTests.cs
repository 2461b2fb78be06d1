using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A stream whose messages arrive faster than it can publish them again.</summary>
public sealed class RepublishLimitTests : IDisposable
{
    private const int Megabyte = 1024 * 1024;

    private readonly StreamHarness _engine = new();

    public void Dispose() => _engine.Dispose();

    [Fact]
    public void Messages_are_refused_while_16_MiB_wait_to_be_republished_and_none_of_the_stored_ones_is_left_out()
    {
        _engine.Do("STREAM.CREATE.R", """{"name":"R","subjects":["in.*"],"storage":"memory","republish":{"src":"in.*","dest":"again.{{wildcard(1)}}"}}""");
        using var heard = _engine.Listen("again.>");
        using var answers = _engine.Listen("answer");
        var flood = new Subscription(new Flood(_engine), StreamHarness.Bytes("again.first"), []);
        Assert.True(_engine.Account.Subscriptions.Add(flood.SubjectBytes, [], flood));

        _engine.Store("in.first");

        Assert.Equal(20, answers.Messages.Count);
        var refused = answers.Messages.Where(static answer => answer.Payload.Contains("error", StringComparison.Ordinal)).ToList();
        Assert.All(refused, static answer => Assert.Contains("\"code\":429,\"err_code\":10167,\"description\":\"too many requests\"", answer.Payload, StringComparison.Ordinal));
        Assert.Equal(4, refused.Count);
        Assert.Equal(1 + 16, _engine.Contents("R").Count);
        Assert.Equal(1 + 16, heard.Messages.Count);

        Assert.Equal(18UL, _engine.Store("in.afterwards"));
        Assert.Equal("again.afterwards", heard.Messages[^1].Subject);
    }

    // Stores more while the stream publishes.
    private sealed class Flood(StreamHarness engine) : IInternalSubscriber
    {
        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
        {
            var large = new byte[Megabyte];
            for (var i = 0; i < 20; i++)
                InternalPublisher.Publish(engine.Account.Subscriptions, "in.more"u8, "in.more"u8, "answer"u8, [], large, batch, BrokerRequester.Instance);
        }
    }
}

using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Broker.JetStream.Consumers;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

/// <summary>A stream engine with consumers, driven by the test's own thread and clock.</summary>
internal sealed class ConsumerHarness : IDisposable
{
    public ConsumerHarness(JetStreamOptions? options = null, SimulatedTree? disk = null, TestClock? time = null, ILogger? log = null, bool recovers = true)
        => Engine = new StreamHarness(options, disk, time, consumers: new ConsumerRegistry(), log: log, recovers: recovers);

    public StreamHarness Engine { get; }

    /// <summary>Makes the stream S of the subjects <c>a.&gt;</c>.</summary>
    public ConsumerHarness WithStream(string members = "")
    {
        Engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["a.>"]{{(members.Length > 0 ? "," + members : "")}}}""");
        return this;
    }

    /// <summary>Stores so many messages on <c>a.1</c>, <c>a.2</c> and so on, with the number as payload.</summary>
    public ConsumerHarness WithMessages(int count, int from = 1)
    {
        for (var i = from; i < from + count; i++) Engine.Store($"a.{i}", $"{i}");
        return this;
    }

    /// <summary>Makes the durable consumer C of stream S.</summary>
    public JsonNode Durable(string members = "\"ack_policy\":\"explicit\"")
        => Engine.Do("CONSUMER.CREATE.S.C", $$$"""{"stream_name":"S","config":{"durable_name":"C",{{{members}}}}}""");

    /// <summary>What making a durable consumer fails with.</summary>
    public string Refused(string members, string name = "C")
        => Engine.Error($"CONSUMER.CREATE.S.{name}", $$$"""{"stream_name":"S","config":{"durable_name":"{{{name}}}",{{{members}}}}}""");

    /// <summary>How consumer C stands.</summary>
    public JsonNode Info() => Engine.Do("CONSUMER.INFO.S.C");

    /// <summary>Sends a pull and gives what came at once.</summary>
    public Client Pull(string request = "", string inbox = "")
    {
        var client = new Client(this, inbox.Length > 0 ? inbox : $"_INBOX.{Guid.NewGuid():N}");
        client.Pull(request);
        return client;
    }

    /// <summary>Somebody who listens on a subject.</summary>
    public Client Listen(string subject) => new(this, subject);

    public void Advance(double seconds) => Engine.Time.Advance(TimeSpan.FromSeconds(seconds));

    public void Dispose() => Engine.Dispose();

    /// <summary>A client's inbox.</summary>
    internal sealed class Client(ConsumerHarness harness, string subject) : IDisposable
    {
        private readonly StreamHarness.Inbox _inbox = harness.Engine.Listen(subject);
        private int _taken;

        public void Pull(string request)
            => harness.Engine.Run(batch => Postrider.Broker.Routing.InternalPublisher.Publish(
                harness.Engine.Account.Subscriptions,
                "$JS.API.CONSUMER.MSG.NEXT.S.C"u8,
                "$JS.API.CONSUMER.MSG.NEXT.S.C"u8,
                StreamHarness.Bytes(subject),
                [],
                StreamHarness.Bytes(request),
                batch, BrokerRequester.Instance));

        /// <summary>How much came so far.</summary>
        public int Count => _inbox.Messages.Count;

        /// <summary>What came since the last call.</summary>
        public List<StreamHarness.Received> Take()
        {
            var taken = _inbox.Messages.Skip(_taken).ToList();
            _taken += taken.Count;
            return taken;
        }

        /// <summary>What came since the last call: payloads, and statuses by their first line.</summary>
        public string TakeText() => string.Join(' ', Take().Select(Text));

        public void Dispose() => _inbox.Dispose();

        private static string Text(StreamHarness.Received message)
        {
            var line = message.Headers.Split("\r\n")[0];
            return line.Length > "NATS/1.0 ".Length ? $"[{line["NATS/1.0 ".Length..]}]" : message.Payload;
        }
    }
}

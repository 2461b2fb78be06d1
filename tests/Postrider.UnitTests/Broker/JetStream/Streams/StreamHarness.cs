using System.Text;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Broker;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Api;
using Postrider.Broker.JetStream.Consumers;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>An engine without a broker: requests and publishes go straight into its account, answers come straight back.</summary>
internal sealed class StreamHarness : IDisposable
{
    private readonly SendBatchSet _batches = new();
    private readonly IConsumerRegistry? _consumers;
    private int _replies;

    public StreamHarness(
        JetStreamOptions? options = null,
        SimulatedTree? disk = null,
        TestClock? time = null,
        AccountLimits? limits = null,
        IConsumerRegistry? consumers = null,
        ILogger? log = null,
        bool recovers = true)
    {
        Disk = disk ?? new SimulatedTree();
        Time = time ?? new TestClock();
        _consumers = consumers;
        Account = new Account(Account.GlobalName);
        Engine = new JetStreamEngine(
            options ?? new JetStreamOptions { MaxMemoryBytes = 1L << 30, MaxStoreBytes = 1L << 30 },
            Time,
            _batches,
            "test",
            "2.15.1",
            log ?? NullLogger.Instance,
            Disk,
            _consumers);
        Streams = Engine.Enable(Account, limits ?? new AccountLimits());
        JetStreamApi.Map(Streams);
        Recovery = new JetStreamRecovery(Engine);
        Recovery.Find();
        if (recovers) Recovery.Recover();
        Time.Fired = AwaitQueues;
        AwaitQueues();
    }

    public Account Account { get; }

    public JetStreamEngine Engine { get; }

    public JetStreamAccount Streams { get; }

    public JetStreamRecovery Recovery { get; }

    public SimulatedTree Disk { get; }

    public TestClock Time { get; }

    /// <summary>Runs something with a batch, and what the batch has to do at its end.</summary>
    public void Run(Action<SendBatch> action)
    {
        Start(action);
        AwaitQueues();
    }

    /// <summary>Runs something with a batch, as a connection's thread does: what goes to a queue is not waited for.</summary>
    public void Start(Action<SendBatch> action) => _batches.Run(action, static (it, batch) => it(batch));

    /// <summary>Whether steps of batches are still to be taken.</summary>
    public bool IsUnfinished => _batches.Unfinished > 0;

    /// <summary>Waits until no request is left, and nothing else that the thread pool does for the engine.</summary>
    public void AwaitQueues()
    {
        if (!AreQueuesIdle()) Assert.True(SpinWait.SpinUntil(AreQueuesIdle, TimeSpan.FromSeconds(60)), "a request does not end");
    }

    /// <summary>Sends a request of the API.</summary>
    public JsonNode Api(string operation, string request = "")
        => JsonNode.Parse(Request("$JS.API." + operation, request).Single().Payload) ?? throw new InvalidOperationException("The answer is null.");

    /// <summary>Sends a request of the API and expects no error.</summary>
    public JsonNode Do(string operation, string request = "")
    {
        var answer = Api(operation, request);
        Assert.Null(answer["error"]);
        return answer;
    }

    /// <summary>Sends a request of the API and gives its error as code and text.</summary>
    public string Error(string operation, string request = "")
    {
        var error = Api(operation, request)["error"] ?? throw new InvalidOperationException("There is no error.");
        return $"{error["code"]} {error["err_code"]} {error["description"]}";
    }

    /// <summary>Publishes and gives the acknowledgement.</summary>
    public JsonNode Publish(string subject, string payload = "", params (string Name, string Value)[] headers)
        => JsonNode.Parse(Request(subject, payload, headers).Single().Payload) ?? throw new InvalidOperationException("The answer is null.");

    /// <summary>Publishes and expects an error, given as code and text.</summary>
    public string Refused(string subject, string payload = "", params (string Name, string Value)[] headers)
    {
        var error = Publish(subject, payload, headers)["error"] ?? throw new InvalidOperationException("There is no error.");
        return $"{error["err_code"]} {error["description"]}";
    }

    /// <summary>Publishes and expects a sequence.</summary>
    public ulong Store(string subject, string payload = "", params (string Name, string Value)[] headers)
    {
        var acknowledgement = Publish(subject, payload, headers);
        Assert.Null(acknowledgement["error"]);
        return acknowledgement["seq"]!.GetValue<ulong>();
    }

    /// <summary>Publishes with a reply subject and gives everything that came back in the same batch.</summary>
    public List<Received> Request(string subject, string payload = "", params (string Name, string Value)[] headers)
        => Request(subject, Headers(headers), payload);

    /// <summary>Publishes with a header block as it is, and gives everything that came back in the same batch.</summary>
    public List<Received> Request(string subject, byte[] headers, string payload = "")
    {
        var reply = $"_INBOX.test.{++_replies}";
        using var inbox = Listen(reply);
        Run(batch => InternalPublisher.Publish(
            Account.Subscriptions, Bytes(subject), Bytes(subject), Bytes(reply), headers, Bytes(payload), batch, BrokerRequester.Instance));
        return [.. inbox.Messages];
    }

    /// <summary>Publishes with a header block as it is, and gives the acknowledgement.</summary>
    public JsonNode Publish(string subject, byte[] headers, string payload = "")
        => JsonNode.Parse(Request(subject, headers, payload).Single().Payload) ?? throw new InvalidOperationException("The answer is null.");

    /// <summary>Listens on a subject.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="queueGroup">The queue group; empty for none.</param>
    public Inbox Listen(string subject, string queueGroup = "")
    {
        var inbox = new Inbox(this, subject, queueGroup);
        AwaitQueues();
        return inbox;
    }

    /// <summary>The subjects and payloads of a stream's messages, with their sequences.</summary>
    public List<string> Contents(string stream)
    {
        Assert.True(Streams.TryGetStream(stream, out var found));
        var contents = new List<string>();
        using (found.Gate.Hold())
        {
            ulong from = 0;
            while (found.Store.Queries.TryFindNext(SubjectFilter.All, from, out var sequence))
            {
                from = sequence + 1;
                Assert.Equal(StoreStatus.Ok, found.Store.TryRead(sequence, out var message));
                contents.Add($"{sequence} {Encoding.UTF8.GetString(message.Subject)} {Encoding.UTF8.GetString(message.Payload)}".TrimEnd());
            }
        }
        return contents;
    }

    public void Dispose() => Engine.Stop();

    // A request may have a consumer begin a pass, a pass leave steps, and a step have a consumer begin a pass.
    private bool AreQueuesIdle()
        => Streams.Mutations.IsIdle && Streams.Queries.IsIdle && AreConsumersIdle() && _batches.Unfinished == 0 && AreConsumersIdle();

    private bool AreConsumersIdle() => _consumers is not ConsumerRegistry { IsIdle: false };

    public static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    public static byte[] Headers(params (string Name, string Value)[] headers)
        => headers.Length == 0 ? [] : Bytes("NATS/1.0\r\n" + string.Concat(headers.Select(header => $"{header.Name}: {header.Value}\r\n")) + "\r\n");

    internal sealed record Received(string Subject, string ReplyTo, string Headers, string Payload);

    internal sealed class Inbox : IInternalSubscriber, IDisposable
    {
        private readonly StreamHarness _harness;
        private readonly Subscription _subscription;

        public Inbox(StreamHarness harness, string subject, string queueGroup)
        {
            _harness = harness;
            _subscription = new Subscription(this, Bytes(subject), Bytes(queueGroup));
            Assert.True(harness.Account.Subscriptions.Add(Bytes(subject), Bytes(queueGroup), _subscription));
        }

        public List<Received> Messages { get; } = [];

        public void Handle(
            IPublishingClient? publisher,
            ReadOnlySpan<byte> subject,
            ReadOnlySpan<byte> replyTo,
            ReadOnlySpan<byte> headers,
            ReadOnlySpan<byte> payload,
            SendBatch batch)
            => Messages.Add(new Received(
                Encoding.UTF8.GetString(subject), Encoding.UTF8.GetString(replyTo), Encoding.UTF8.GetString(headers), Encoding.UTF8.GetString(payload)));

        public void Dispose()
        {
            _harness.Account.Subscriptions.Remove(_subscription.SubjectBytes, _subscription.QueueGroup, _subscription);
            _harness.AwaitQueues();
        }
    }
}

using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Postrider.Broker;
using Postrider.Broker.JetStream.Consumers;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Streams that lose messages by age, time to live, bytes, fired schedules and acknowledgements of consumers, and one that
/// refuses what is above its limits, on a disk that fails at any of its operations, beside a model.</summary>
/// <remarks>T expires and fires schedules, N discards new messages, W is a work queue, I keeps messages for two consumers.
/// POSTRIDER_SEED repeats a run, POSTRIDER_OPERATIONS makes it longer.</remarks>
public sealed class RetentionFaultModelTests(ITestOutputHelper output)
{
    private const int Operations = 3_000;

    [Theory]
    [InlineData("file sync each", JetStreamDurability.SyncEach)]
    [InlineData("page cache", JetStreamDurability.PageCache)]
    [InlineData("group", JetStreamDurability.GroupSync)]
    public void Messages_leave_once_and_for_a_reason(string name, JetStreamDurability durability)
    {
        var seed = Seed.Next();
        var operations = int.TryParse(Environment.GetEnvironmentVariable("POSTRIDER_OPERATIONS"), CultureInfo.InvariantCulture, out var wanted) ? wanted : Operations;
        output.WriteLine($"{name}: POSTRIDER_SEED={seed} POSTRIDER_OPERATIONS={operations}");
        using var run = new Run(new Random(seed), durability, $"seed {seed}");
        for (var i = 0; i < operations; i++) run.Step(i);
        output.WriteLine(run.ToString());
        Assert.True(run.Faults > 0 && run.Fired > 0 && run.Expired > 0 && run.Refused > 0 && run.Acknowledged > 0);
    }

    private sealed record Kept(string Subject, string Payload, long Bytes, DateTimeOffset Until, DateTimeOffset Due);

    private sealed class Run : IDisposable
    {
        private static readonly string[] Names = ["T", "N", "W", "I"];

        private readonly Random _random;
        private readonly JetStreamDurability _durability;
        private readonly string _seed;
        private readonly Dictionary<string, SortedDictionary<ulong, Kept>> _models = Names.ToDictionary(static name => name, static _ => new SortedDictionary<ulong, Kept>());
        private readonly Dictionary<string, ulong> _last = Names.ToDictionary(static name => name, static _ => 0UL);

        // Who acknowledged which message of a stream and was told so, and who only tried.
        private readonly HashSet<(string Consumer, ulong Sequence)> _acknowledged = [];
        private readonly HashSet<(string Consumer, ulong Sequence)> _tried = [];
        private StreamHarness _harness;
        private StreamHarness.Inbox _answers;
        private string _where = "";
        private int _payloads;

        public Run(Random random, JetStreamDurability durability, string seed)
        {
            (_random, _durability, _seed) = (random, durability, seed);
            _harness = Open(new SimulatedTree(), null);
            _answers = _harness.Listen("_INBOX.>");
            _harness.Do("STREAM.CREATE.T", """{"name":"T","subjects":["t.*"],"storage":"file","max_age":20000000000,"duplicate_window":1000000000,"max_bytes":900,"max_msgs_per_subject":5,"allow_rollup_hdrs":true,"allow_msg_ttl":true,"allow_msg_schedules":true}""");
            _harness.Do("STREAM.CREATE.N", """{"name":"N","subjects":["n.*"],"storage":"file","discard":"new","max_msgs":8,"max_bytes":300,"max_msgs_per_subject":3,"discard_new_per_subject":true}""");
            _harness.Do("STREAM.CREATE.W", """{"name":"W","subjects":["w.*"],"storage":"file","retention":"workqueue"}""");
            _harness.Do("STREAM.CREATE.I", """{"name":"I","subjects":["i.*"],"storage":"file","retention":"interest"}""");
            foreach (var (stream, consumer) in new[] { ("W", "C"), ("I", "D"), ("I", "E") })
                _harness.Do($"CONSUMER.CREATE.{stream}.{consumer}", $$$"""{"stream_name":"{{{stream}}}","config":{"durable_name":"{{{consumer}}}","ack_policy":"explicit","ack_wait":5000000000}}""");
        }

        public int Faults { get; private set; }

        public int Fired { get; private set; }

        public int Expired { get; private set; }

        public int Refused { get; private set; }

        public int Acknowledged { get; private set; }

        private DateTimeOffset Now => _harness.Time.GetUtcNow();

        public void Step(int number)
        {
            var name = Names[_random.Next(Names.Length)];
            var kind = _random.Next(100);
            _where = $"{_seed} step {number} stream {name} kind {kind}";
            var isArmed = Arm(name);
            if (kind < 55) Publish(name);
            else if (kind < 70) Acknowledge("W", "C");
            else if (kind < 85) Acknowledge("I", _random.Next(2) == 0 ? "D" : "E");
            else if (kind < 97) Pass(isArmed ? name : "");
            else Restart();
            Disarm();
            if (isArmed)
            {
                // The disk is in order again: the streams try within five seconds, and do then what is overdue.
                Faults++;
                for (var i = 0; i < 7; i++) Pass("");
            }
            foreach (var stream in Names) Agree(stream);
        }

        public void Dispose()
        {
            _answers.Dispose();
            _harness.Dispose();
        }

        public override string ToString() => $"{Faults} faults, {Fired} fired, {Expired} expired, {Refused} refused, {Acknowledged} acknowledged";

        private StreamHarness Open(SimulatedTree disk, TestClock? time)
            => new(new JetStreamOptions { Durability = _durability, MaxMemoryBytes = 1L << 30, MaxStoreBytes = 1L << 30 }, disk, time, consumers: new ConsumerRegistry());

        private SimulatedDisk Disk(string stream) => _harness.Disk.Child("$G", "streams", stream, "msgs").Disk;

        private bool Arm(string stream)
        {
            var left = _random.Next(4);
            var isLasting = _random.Next(2) == 0;
            switch (_random.Next(12))
            {
                case 0:
                    Disk(stream).Room = _random.Next(200);
                    return true;
                case 1:
                    Disk(stream).OnOperation(operation =>
                    {
                        var fails = operation is "write" or "create" or "delete" or "cut" || (operation == "sync" && _durability == JetStreamDurability.SyncEach);
                        if (fails && (left-- == 0 || (isLasting && left < 0))) throw new IOException("No space left on device", 28);
                    });
                    return true;
                default:
                    return false;
            }
        }

        private void Disarm()
        {
            foreach (var stream in Names)
            {
                Disk(stream).OnOperation(null);
                Disk(stream).Room = long.MaxValue;
            }
        }

        private void Publish(string name)
        {
            var model = new SortedDictionary<ulong, Kept>(_models[name]);
            var last = _last[name];
            var (messages, expected) = (new List<(string Subject, string Payload, byte[] Headers)>(), new List<string>());
            for (var i = 1 + (_random.Next(3) == 0 ? _random.Next(5) : 0); i > 0; i--)
            {
                var subject = $"{name.ToLowerInvariant()}.{_random.Next(4)}";
                var payload = $"p{++_payloads}".PadRight(8 + _random.Next(30), 'x');
                var headers = new List<(string, string)>();
                var until = name == "T" ? Now.AddSeconds(20) : DateTimeOffset.MaxValue;
                var due = DateTimeOffset.MaxValue;
                var added = 0;
                if (name == "T" && _random.Next(4) == 0)
                {
                    var seconds = _random.Next(1, 12);
                    headers.Add(("Nats-TTL", $"{seconds}"));
                    until = Now.AddSeconds(seconds);
                }
                else if (name == "T" && _random.Next(4) == 0)
                {
                    subject = $"t.s{_random.Next(3)}";
                    due = DateTimeOffset.FromUnixTimeSeconds(Now.ToUnixTimeSeconds() + _random.Next(1, 8));
                    headers.Add(("Nats-Schedule", $"@at {due.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)}"));
                    headers.Add(("Nats-Schedule-Target", "t.fired"));
                    added = "Nats-Rollup: sub\r\n".Length;
                }
                var bytes = StreamHarness.Headers([.. headers]);
                messages.Add((subject, payload, bytes));
                var kept = new Kept(subject, payload, 30 + subject.Length + payload.Length + (bytes.Length > 0 ? 4 + bytes.Length + added : 0), until, due);
                if (name == "N" && IsFull(model, kept)) expected.Add("refused");
                else
                {
                    Store(name, model, ++last, kept);
                    expected.Add($"{last}");
                }
            }
            Judge(name, model, last, expected, Send(messages));
        }

        private void Judge(string name, SortedDictionary<ulong, Kept> model, ulong last, List<string> expected, List<string> actual)
        {
            if (!actual.Contains("failed"))
            {
                Assert.True(expected.SequenceEqual(actual), $"{_where}: answered {string.Join(", ", actual)}, expected {string.Join(", ", expected)}");
                Refused += expected.Count(static answer => answer == "refused");
                (_models[name], _last[name]) = (model, last);
                return;
            }
            Assert.True(actual.TrueForAll(static answer => answer is "failed" or "refused"), $"{_where}: answered {string.Join(", ", actual)} in a commit that failed");
        }

        private static void Store(string name, SortedDictionary<ulong, Kept> model, ulong sequence, Kept kept)
        {
            model[sequence] = kept;
            if (name != "T") return;
            foreach (var old in model.Where(pair => pair.Value.Subject == kept.Subject).Select(static pair => pair.Key).SkipLast(5).ToArray()) model.Remove(old);
            while (model.Values.Sum(static other => other.Bytes) > 900) model.Remove(model.Keys.First());
            if (kept.Due == DateTimeOffset.MaxValue) return;
            foreach (var old in model.Where(pair => pair.Key < sequence && pair.Value.Subject == kept.Subject).Select(static pair => pair.Key).ToArray()) model.Remove(old);
        }

        private static bool IsFull(SortedDictionary<ulong, Kept> model, Kept kept)
            => model.Values.Count(other => other.Subject == kept.Subject) >= 3 || model.Count >= 8 || model.Values.Sum(static other => other.Bytes) + kept.Bytes > 300;

        private List<string> Send(List<(string Subject, string Payload, byte[] Headers)> messages)
        {
            _answers.Messages.Clear();
            _harness.Start(batch =>
            {
                for (var i = 0; i < messages.Count; i++)
                {
                    var subject = Encoding.ASCII.GetBytes(messages[i].Subject);
                    InternalPublisher.Publish(
                        _harness.Account.Subscriptions, subject, subject, Encoding.ASCII.GetBytes($"_INBOX.{i}"), messages[i].Headers, Encoding.ASCII.GetBytes(messages[i].Payload), batch, BrokerRequester.Instance);
                }
            });
            if (_durability == JetStreamDurability.GroupSync) SpinWait.SpinUntil(() => _answers.Messages.Count >= messages.Count, TimeSpan.FromSeconds(30));
            Assert.True(_answers.Messages.Count == messages.Count, $"{_where}: {_answers.Messages.Count} answers to {messages.Count} publishes");
            return [.. _answers.Messages.Select(static message => Read(message.Payload))];
        }

        private static string Read(string answer)
        {
            var json = JsonNode.Parse(answer)!;
            if (json["error"] is not { } error) return $"{json["seq"]}";
            return ((string)error["description"]!).StartsWith("No space", StringComparison.Ordinal) ? "failed" : "refused";
        }

        // A consumer takes some messages and acknowledges some of them, and wants to know that it is done.
        private void Acknowledge(string stream, string consumer)
        {
            using var inbox = _harness.Listen("_PULL.*");
            _harness.Run(batch => Request($"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}", "_PULL.1", """{"batch":6,"no_wait":true}""", batch));
            foreach (var message in inbox.Messages.Where(static message => message.ReplyTo.StartsWith("$JS.ACK.", StringComparison.Ordinal)).ToArray())
            {
                var sequence = ulong.Parse(message.ReplyTo.Split('.')[^4], CultureInfo.InvariantCulture);
                Assert.True(!_acknowledged.Contains((consumer, sequence)), $"{_where}: {sequence} is delivered to {consumer} again");
                Assert.True(_models[stream].TryGetValue(sequence, out var kept) && kept.Payload == message.Payload, $"{_where}: {sequence} is delivered to {consumer} and not in {stream}");
                if (_random.Next(3) == 0) continue;
                using var answer = _harness.Listen("_DONE.*");
                _tried.Add((consumer, sequence));
                _harness.Run(batch => Request(message.ReplyTo, "_DONE.1", "+ACK", batch));
                if (_durability == JetStreamDurability.GroupSync) continue;
                if (answer.Messages.Count == 0) continue;
                _acknowledged.Add((consumer, sequence));
                Acknowledged++;
            }
            if (_durability == JetStreamDurability.GroupSync) Acknowledged += _tried.Count > 0 ? 1 : 0;
        }

        private void Request(string subject, string replyTo, string payload, SendBatch batch)
            => InternalPublisher.Publish(_harness.Account.Subscriptions, StreamHarness.Bytes(subject), StreamHarness.Bytes(subject), StreamHarness.Bytes(replyTo), [], StreamHarness.Bytes(payload), batch, BrokerRequester.Instance);

        // A second passes: what is due in it leaves or fires, unless the disk of a stream refuses.
        private void Pass(string failing)
        {
            _harness.Time.Advance(TimeSpan.FromSeconds(1));
            if (failing != "T") Settle();
        }

        private void Restart()
        {
            Disarm();
            var disk = _random.Next(2) == 0 ? _harness.Disk.Copy() : _harness.Disk;
            var time = _harness.Time;
            Dispose();
            _harness = Open(disk, time);
            _answers = _harness.Listen("_INBOX.>");
            Settle();
        }

        // What fired is stored at the end; what it pushed out is the oldest of all or of its subject.
        private void Settle()
        {
            Assert.True(_harness.Streams.TryGetStream("T", out var stream), _where);
            var wasReadOnly = stream.Store.Fault is not null;
            _harness.Time.Advance(TimeSpan.FromMilliseconds(30));
            if (stream.Store.Fault is not null) return;
            // Writable again within these milliseconds: what is overdue leaves shortly after that.
            if (wasReadOnly) _harness.Time.Advance(TimeSpan.FromMilliseconds(30));
            var model = _models["T"];
            var hasFired = stream.Store.LastSequence > _last["T"];
            while (_last["T"] < stream.Store.LastSequence)
            {
                var sequence = ++_last["T"];
                if (stream.Store.TryRead(sequence, out var message) != StoreStatus.Ok) continue;
                var payload = Encoding.ASCII.GetString(message.Payload);
                var schedule = model.SingleOrDefault(pair => pair.Value.Payload == payload && pair.Value.Due <= Now);
                Assert.True(schedule.Value is not null && Encoding.ASCII.GetString(message.Subject) == "t.fired", $"{_where}: {sequence} fired without a reason: {payload}");
                model.Remove(schedule.Key);
                var bytes = 30 + message.Subject.Length + payload.Length + 4 + message.Headers.Length;
                model[sequence] = new Kept("t.fired", payload, bytes, DateTimeOffset.UnixEpoch.AddTicks(message.Timestamp / 100).AddSeconds(20), DateTimeOffset.MaxValue);
                Fired++;
            }
            foreach (var (sequence, kept) in model.Where(pair => pair.Value.Until <= Now).ToArray())
            {
                Assert.True(stream.Store.TryRead(sequence, out _) != StoreStatus.Ok, $"{_where}: {sequence} outlives its time");
                model.Remove(sequence);
                Expired++;
            }
            if (!hasFired) return;
            foreach (var (sequence, kept) in model.ToArray())
            {
                if (stream.Store.TryRead(sequence, out _) == StoreStatus.Ok) continue;
                Assert.True(model.Keys.First() == sequence || kept.Subject == "t.fired", $"{_where}: {sequence} is lost");
                model.Remove(sequence);
            }
        }

        private void Agree(string name)
        {
            Assert.True(_harness.Streams.TryGetStream(name, out var stream), _where);
            var (model, store) = (_models[name], stream.Store);
            Assert.True(store.Fault is null, $"{_where}: {name} is read-only: {store.Fault?.Message}");
            if (name is "W" or "I") TakeAcknowledged(name, model, stream.Store);
            Assert.True((model.Count, _last[name]) == ((int)store.Messages, store.LastSequence), $"{_where}: {name} has {store.Messages} messages up to {store.LastSequence}, expected {model.Count} up to {_last[name]}");
            foreach (var (sequence, kept) in model)
            {
                Assert.True(store.TryRead(sequence, out var read) == StoreStatus.Ok, $"{_where}: {sequence} of {name} is lost");
                Assert.True(kept.Subject == Encoding.ASCII.GetString(read.Subject) && kept.Payload == Encoding.ASCII.GetString(read.Payload), $"{_where}: {sequence} of {name} is another message");
            }
            Assert.True(model.Values.Sum(static kept => kept.Bytes) == store.Bytes, $"{_where}: {name} has {store.Bytes} bytes, expected {model.Values.Sum(static kept => kept.Bytes)}");
            Assert.True(name != "T" || !model.Values.Any(kept => kept.Due <= Now), $"{_where}: a schedule is overdue");
        }

        // A message leaves when all are done with it; an acknowledgement without an answer may have been one.
        private void TakeAcknowledged(string name, SortedDictionary<ulong, Kept> model, MessageStore store)
        {
            var consumers = name == "W" ? new[] { "C" } : ["D", "E"];
            foreach (var sequence in model.Keys.ToArray())
            {
                var isThere = store.TryRead(sequence, out _) == StoreStatus.Ok;
                if (Array.TrueForAll(consumers, consumer => _acknowledged.Contains((consumer, sequence)))) Assert.True(!isThere, $"{_where}: {sequence} of {name} is back");
                if (!isThere && Array.TrueForAll(consumers, consumer => _tried.Contains((consumer, sequence)))) model.Remove(sequence);
            }
        }
    }
}

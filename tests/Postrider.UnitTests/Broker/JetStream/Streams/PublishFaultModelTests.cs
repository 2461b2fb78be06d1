using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Postrider.Broker;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Random publishes, batches, purges and deletions on a disk that fails at any of its operations, beside a model that knows
/// acknowledged operations only: nothing acknowledged is lost, nothing is stored twice, and what is refused leaves nothing behind.</summary>
/// <remarks>POSTRIDER_SEED repeats a run, POSTRIDER_OPERATIONS makes it longer.</remarks>
public sealed class PublishFaultModelTests(ITestOutputHelper output)
{
    private const int Operations = 16_000;
    private const string Config = "\"subjects\":[\"s.*\"],\"storage\":\"file\",\"max_msgs\":24,\"max_msgs_per_subject\":6,\"allow_rollup_hdrs\":true,\"allow_msg_ttl\":true,\"allow_atomic\":true,\"allow_msg_schedules\":true,\"duplicate_window\":31536000000000000,\"republish\":{\"src\":\">\",\"dest\":\"again.>\"}";
    private const string CounterConfig = "\"subjects\":[\"c.*\"],\"storage\":\"file\",\"max_msgs_per_subject\":3,\"max_msgs\":24,\"allow_atomic\":true,\"allow_msg_counter\":true,\"max_msg_size\":200,\"duplicate_window\":31536000000000000";

    [Theory]
    [InlineData("file sync each", JetStreamDurability.SyncEach)]
    [InlineData("page cache", JetStreamDurability.PageCache)]
    [InlineData("group", JetStreamDurability.GroupSync)]
    public void Nothing_acknowledged_is_lost_and_nothing_refused_is_left(string name, JetStreamDurability durability)
    {
        var seed = Seed.Next();
        var operations = int.TryParse(Environment.GetEnvironmentVariable("POSTRIDER_OPERATIONS"), CultureInfo.InvariantCulture, out var wanted) ? wanted : Operations;
        output.WriteLine($"{name}: POSTRIDER_SEED={seed} POSTRIDER_OPERATIONS={operations}");
        using var run = new Run(new Random(seed), durability, $"seed {seed}");
        for (var i = 0; i < operations / 2; i++) run.Step(i);
        output.WriteLine(run.ToString());
        Assert.True(run.Faults > 0 && run.PowerCuts > 0);
    }

    private sealed class Run : IDisposable
    {
        private readonly Random _random;
        private readonly JetStreamDurability _durability;
        private readonly string _seed;
        private StreamHarness _harness;
        private StreamHarness.Inbox _answers;
        private StreamHarness.Inbox _again;
        private Dictionary<string, ReferenceCommits> _models = new()
        {
            ["S"] = new ReferenceCommits { MaxMessages = 24, MaxPerSubject = 6 },
            ["C"] = new ReferenceCommits { MaxMessages = 24, MaxPerSubject = 3 },
        };
        private readonly Dictionary<string, long> _rollbacks = [];
        private readonly Dictionary<ulong, ReferenceCommits> _stages = [];
        private SimulatedTree? _powerCut;
        private bool _mayCut;
        private string _where = "";
        private int _batches;
        private int _payloads;

        public Run(Random random, JetStreamDurability durability, string seed)
        {
            (_random, _durability, _seed) = (random, durability, seed);
            _harness = Open(new SimulatedTree());
            _harness.Do("STREAM.CREATE.S", $$"""{"name":"S",{{Config}}}""");
            _harness.Do("STREAM.CREATE.C", $$"""{"name":"C",{{CounterConfig}}}""");
            _answers = _harness.Listen("_INBOX.>");
            _again = _harness.Listen("again.>");
        }

        public int Faults { get; private set; }

        public int PowerCuts { get; private set; }

        public int Stored { get; private set; }

        public void Step(int number)
        {
            var stream = _random.Next(4) == 0 ? "C" : "S";
            var kind = _random.Next(100);
            _where = $"{_seed} step {number} stream {stream} kind {kind}";
            var before = _models[stream].Copy();
            var fault = Arm(stream);
            var actions = kind switch
            {
                < 70 => Publish(stream, 1 + (_random.Next(3) == 0 ? _random.Next(6) : 0)),
                < 85 => PublishBatch(stream),
                < 93 => Delete(stream),
                < 97 => Purge(stream),
                _ => Restart(),
            };
            Disarm();
            if (fault)
            {
                Faults++;
                _harness.Time.Advance(TimeSpan.FromSeconds(6));
            }
            Agree("S", thorough: fault || number % 20 == 0);
            Agree("C", thorough: fault || number % 20 == 0);
            if (_powerCut is not null) AssertRecovers(stream, before, actions);
        }

        public void Dispose()
        {
            _answers.Dispose();
            _again.Dispose();
            _harness.Dispose();
        }

        public override string ToString() => $"{Stored} stored, {Faults} faults, {PowerCuts} power cuts";

        private SimulatedDisk Disk(string stream) => _harness.Disk.Child("$G", "streams", stream, "msgs").Disk;

        private StreamHarness Open(SimulatedTree disk, TestClock? time = null)
            => new(new JetStreamOptions { Durability = _durability, MaxMemoryBytes = 1L << 30, MaxStoreBytes = 1L << 30 }, disk, time);

        // A fault of the disk at one of its next operations, or a look at what a power cut there would leave.
        private bool Arm(string stream)
        {
            _powerCut = null;
            _mayCut = false;
            _stages.Clear();
            var disk = Disk(stream);
            var left = _random.Next(5);
            switch (_random.Next(60))
            {
                case 0:
                    disk.Room = _random.Next(400);
                    return true;
                case 1 or 2:
                    disk.OnOperation(operation =>
                    {
                        if (operation is "write" or "create" or "delete" or "cut" && left-- == 0) throw new IOException("No space left on device", 28);
                    });
                    return true;
                case 3:
                    // Every operation fails, the one that cuts back too.
                    disk.OnOperation(operation =>
                    {
                        if (operation is "write" or "create" or "delete" or "cut" && left-- <= 0) throw new IOException("No space left on device", 28);
                    });
                    return true;
                case 4 when _durability == JetStreamDurability.SyncEach:
                    disk.OnOperation(operation =>
                    {
                        if (operation == "sync" && left-- == 0) throw new IOException("No space left on device", 28);
                    });
                    return true;
                case 5 when _durability == JetStreamDurability.SyncEach:
                    _mayCut = true;
                    disk.OnOperation(_ =>
                    {
                        if (left-- == 0) _powerCut = _harness.Disk.PowerCut(_random);
                    });
                    return false;
                case 5:
                    _mayCut = true;
                    // Flushes of a group are another thread's.
                    disk.OnOperation(operation =>
                    {
                        if (operation != "sync" && left-- == 0) _powerCut = _harness.Disk.Copy();
                    });
                    return false;
                default:
                    return false;
            }
        }

        private void Disarm()
        {
            foreach (var stream in _models.Keys)
            {
                Disk(stream).OnOperation(null);
                Disk(stream).Room = long.MaxValue;
            }
        }

        private int Publish(string stream, int count)
        {
            var model = _models[stream].Copy();
            var messages = new List<(string Subject, string Payload, (string, string)[] Headers)>();
            var expected = new List<string>();
            for (var i = 0; i < count; i++)
            {
                var (message, headers, id, rollup, refusal) = Compose(stream, model);
                messages.Add((message.Subject, stream == "C" ? "" : message.Payload, headers));
                if (refusal) expected.Add("refused");
                else if (id is not null && model.Ids.TryGetValue(id, out var known)) expected.Add($"{known} again");
                else
                {
                    expected.Add($"{model.Store(message, id, rollup, isAlone: true)}");
                    if (_mayCut) _stages[model.Last] = model.Copy();
                }
            }
            Judge(stream, model, expected, Send(messages));
            return count;
        }

        private int PublishBatch(string stream)
        {
            var model = _models[stream].Copy();
            var count = _random.Next(1, 6);
            var isRefused = _random.Next(3) == 0;
            var messages = new List<(string Subject, string Payload, (string, string)[] Headers)>();
            var ids = new HashSet<string>();
            var batch = $"b{++_batches}";
            ulong last = 0;
            for (var i = 0; i < count; i++)
            {
                var id = _random.Next(3) == 0 ? $"id{_random.Next(40)}" : null;
                if (id is not null && (model.Ids.ContainsKey(id) || !ids.Add(id)))
                {
                    ids.Add(id);
                    id = null;
                }
                var subject = $"{(stream == "C" ? "c" : "s")}.{_random.Next(6)}";
                var headers = new List<(string, string)> { ("Nats-Batch-Id", batch), ("Nats-Batch-Sequence", $"{i + 1}") };
                if (id is not null) headers.Add(("Nats-Msg-Id", id));
                ReferenceCommit message;
                string? rollup = null;
                if (stream == "C")
                {
                    var increment = _random.Next(1, 9);
                    headers.Add(("Nats-Incr", isRefused && i == count - 1 ? new string('9', 150) : $"{increment}"));
                    var sum = model.SumOf(subject) + increment;
                    message = new ReferenceCommit(subject, $$"""{"val":"{{sum}}"}""", 0, sum);
                }
                else
                {
                    rollup = _random.Next(12) == 0 ? _random.Next(2) == 0 ? "all" : "sub" : null;
                    if (rollup is not null) headers.Add(("Nats-Rollup", rollup));
                    // A batch does not replace messages of its own.
                    isRefused |= (rollup == "all" && i > 0) || (rollup == "sub" && messages.Exists(other => other.Subject == subject));
                    if (isRefused && i == count - 1) headers.Add(("Nats-Expected-Last-Subject-Sequence", "999999999"));
                    message = new ReferenceCommit(subject, $"p{++_payloads}");
                }
                if (i == count - 1) headers.Add(("Nats-Batch-Commit", "1"));
                messages.Add((subject, stream == "C" ? "" : message.Payload, [.. headers]));
                last = model.Store(message, id, rollup, isAlone: false);
            }
            model.Enforce();
            var expected = Enumerable.Repeat("", count - 1).Append(isRefused ? "refused" : $"{last}").ToList();
            Judge(stream, isRefused ? _models[stream].Copy() : model, expected, Send(messages));
            return -count;
        }

        private (ReferenceCommit Message, (string, string)[] Headers, string? Id, string? Rollup, bool IsRefused) Compose(string stream, ReferenceCommits model)
        {
            var subject = $"{(stream == "C" ? "c" : "s")}.{_random.Next(6)}";
            var id = _random.Next(3) == 0 ? $"id{_random.Next(40)}" : null;
            var headers = new List<(string, string)>();
            if (id is not null) headers.Add(("Nats-Msg-Id", id));
            var payload = $"p{++_payloads}";
            if (stream == "C")
            {
                var increment = _random.Next(1, 9);
                headers.Add(("Nats-Incr", $"{increment}"));
                var sum = model.SumOf(subject) + increment;
                return (new ReferenceCommit(subject, $$"""{"val":"{{sum}}"}""", 0, sum), [.. headers], id, null, false);
            }
            var isRefused = false;
            string? rollup = null;
            long at = 0;
            switch (_random.Next(20))
            {
                case 0:
                    var off = _random.Next(2);
                    headers.Add(("Nats-Expected-Last-Sequence", $"{model.Last + (ulong)off}"));
                    isRefused = off > 0;
                    break;
                case 1:
                    off = _random.Next(2);
                    headers.Add(("Nats-Expected-Last-Subject-Sequence", $"{model.LastOf(subject) + (ulong)off}"));
                    isRefused = off > 0;
                    break;
                case 2 when id is null:
                    off = _random.Next(2);
                    headers.Add(("Nats-Expected-Last-Msg-Id", off == 0 && model.LastId.Length > 0 ? model.LastId : "none"));
                    isRefused = off > 0 || model.LastId.Length == 0;
                    break;
                case 3:
                    rollup = _random.Next(4) == 0 ? "all" : "sub";
                    headers.Add(("Nats-Rollup", rollup));
                    break;
                case 4:
                    headers.Add(("Nats-TTL", "1000000"));
                    break;
                case 5:
                    at = 4_000_000_000 + _random.Next(1_000_000);
                    headers.Add(("Nats-Schedule", $"@at {DateTimeOffset.FromUnixTimeSeconds(at).ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)}"));
                    headers.Add(("Nats-Schedule-Target", "s.target"));
                    break;
                default:
                    break;
            }
            return (new ReferenceCommit(subject, payload, at), [.. headers], id, rollup, isRefused);
        }

        private int Delete(string stream)
        {
            var model = _models[stream];
            if (model.Messages.Count == 0) return 0;
            var sequence = model.Messages.Keys.ElementAt(_random.Next(model.Messages.Count));
            var answer = _harness.Api($"STREAM.MSG.DELETE.{stream}", $$"""{"seq":{{sequence}},"no_erase":{{(_random.Next(3) > 0 ? "true" : "false")}}}""");
            // What is erased is gone although the disk may have refused to overwrite it afterwards.
            if (answer["error"] is null || IsGone(stream, sequence)) model.Delete(sequence);
            return 0;
        }

        private int Purge(string stream)
        {
            var model = _models[stream];
            var subject = $"{(stream == "C" ? "c" : "s")}.{_random.Next(6)}";
            var isWhole = _random.Next(3) == 0;
            var answer = _harness.Api($"STREAM.PURGE.{stream}", isWhole ? "" : $$"""{"filter":"{{subject}}"}""");
            if (answer["error"] is null) model.Remove((_, message) => isWhole || message.Subject == subject);
            return 0;
        }

        private bool IsGone(string stream, ulong sequence)
        {
            Disarm();
            _harness.Time.Advance(TimeSpan.FromSeconds(6));
            Assert.True(_harness.Streams.TryGetStream(stream, out var found), _where);
            return found.Store.TryRead(sequence, out _) != StoreStatus.Ok;
        }

        private int Restart()
        {
            Disarm();
            var disk = _durability == JetStreamDurability.SyncEach && _random.Next(2) == 0 ? _harness.Disk.PowerCut(_random) : _random.Next(2) == 0 ? _harness.Disk.Copy() : _harness.Disk;
            _powerCut = null;
            Dispose();
            _harness = Open(disk, _harness.Time);
            _answers = _harness.Listen("_INBOX.>");
            _again = _harness.Listen("again.>");
            foreach (var model in _models.Values) model.Restart();
            _rollbacks.Clear();
            return 0;
        }

        private List<string> Send(List<(string Subject, string Payload, (string, string)[] Headers)> messages)
        {
            _answers.Messages.Clear();
            _again.Messages.Clear();
            _harness.Start(batch =>
            {
                for (var i = 0; i < messages.Count; i++)
                {
                    var subject = Encoding.ASCII.GetBytes(messages[i].Subject);
                    InternalPublisher.Publish(
                        _harness.Account.Subscriptions, subject, subject, Encoding.ASCII.GetBytes($"_INBOX.{i}"), StreamHarness.Headers(messages[i].Headers), Encoding.ASCII.GetBytes(messages[i].Payload), batch, BrokerRequester.Instance);
                }
            });
            if (_durability == JetStreamDurability.GroupSync) SpinWait.SpinUntil(() => _answers.Messages.Count >= messages.Count, TimeSpan.FromSeconds(30));
            Assert.True(_answers.Messages.Count == messages.Count, $"{_where}: {_answers.Messages.Count} answers to {messages.Count} publishes");
            return [.. _answers.Messages.Select(static message => message.Payload)];
        }

        private void Judge(string stream, ReferenceCommits after, List<string> expected, List<string> answers)
        {
            var actual = answers.ConvertAll(Read);
            if (!actual.Contains("failed"))
            {
                Assert.True(expected.SequenceEqual(actual), $"{_where}: answered {string.Join(", ", actual)}, expected {string.Join(", ", expected)}");
                Stored += after.Last > _models[stream].Last ? (int)(after.Last - _models[stream].Last) : 0;
                if (stream == "S") Assert.True(_again.Messages.Count == (int)(after.Last - _models[stream].Last), $"{_where}: {_again.Messages.Count} published again");
                _models[stream] = after;
                return;
            }
            // One commit: all of it or nothing. Only what was stored before may be acknowledged.
            foreach (var answer in actual.Where(static answer => answer is not ("failed" or "refused" or "")))
            {
                Assert.True(answer.EndsWith(" again", StringComparison.Ordinal) && ulong.Parse(answer[..^6], CultureInfo.InvariantCulture) <= _models[stream].Last, $"{_where}: {answer} in a commit that failed");
            }
            Assert.True(_again.Messages.Count == 0, $"{_where}: published again what was not stored");
        }

        private static string Read(string answer)
        {
            if (answer.Length == 0) return "";
            var json = JsonNode.Parse(answer)!;
            if (json["error"] is { } error)
                return (int)error["err_code"]! == 10077 && ((string)error["description"]!).StartsWith("No space", StringComparison.Ordinal) ? "failed" : "refused";
            return json["duplicate"] is null ? $"{json["seq"]}" : $"{json["seq"]} again";
        }

        private void Agree(string name, bool thorough)
        {
            Assert.True(_harness.Streams.TryGetStream(name, out var stream), _where);
            var (model, store) = (_models[name], stream.Store);
            var fault = store.Fault?.Message;
            Assert.True(fault is null, $"{_where}: {name} is read-only: {fault}");
            Assert.True((model.Messages.Count, model.Last) == ((int)store.Messages, store.LastSequence), $"{_where}: {name} has {store.Messages} messages up to {store.LastSequence}, expected {model.Messages.Count} up to {model.Last}");
            Assert.True(store.LastSequence == stream.VisibleSequence, $"{_where}: {stream.VisibleSequence} is visible of {store.LastSequence}");
            if (!thorough) return;
            Compare(model, store);
            Assert.True(model.Ids.Count == stream.Duplicates.Count, $"{_where}: {stream.Duplicates.Count} ids, expected {model.Ids.Count}");
            Assert.True(model.LastId == Encoding.UTF8.GetString(stream.LastMessageId.Value), $"{_where}: last id {Encoding.UTF8.GetString(stream.LastMessageId.Value)}, expected {model.LastId}");

            // Schedules that were removed meanwhile are forgotten when they are due, or when the store is read again.
            var next = stream.Schedules.NextAt is var at and not long.MaxValue ? at / 1_000_000_000 : long.MaxValue;
            var wasReadAgain = stream.Effects.Rollbacks != _rollbacks.GetValueOrDefault(name);
            _rollbacks[name] = stream.Effects.Rollbacks;
            var expected = wasReadAgain ? model.NextSchedule : model.NextKnownSchedule;
            if (wasReadAgain) model.SchedulesWereRead();
            Assert.True(wasReadAgain ? next == expected : next <= expected, $"{_where}: the next schedule is at {next}, expected {expected}");
        }

        private void Compare(ReferenceCommits model, MessageStore store)
        {
            foreach (var (sequence, message) in model.Messages)
            {
                Assert.True(store.TryRead(sequence, out var read) == StoreStatus.Ok, $"{_where}: {sequence} is lost");
                Assert.True(message.Subject == Encoding.ASCII.GetString(read.Subject) && message.Payload == Encoding.ASCII.GetString(read.Payload), $"{_where}: {sequence} is another message");
            }
        }

        // The power goes in mid-operation: everything from before it is there unless the operation removed it, a burst is there up to some
        // message, a batch whole or not at all.
        private void AssertRecovers(string name, ReferenceCommits before, int actions)
        {
            PowerCuts++;
            var after = _models[name];
            using var recovered = Open(_powerCut!, new TestClock());
            Assert.True(recovered.Streams.TryGetStream(name, out var stream), _where);
            var last = stream.Store.LastSequence;
            Assert.True(last >= before.Last && last <= after.Last, $"{_where}: {last} after a power cut, {before.Last} before the operation and {after.Last} after it");

            // A burst as if it had ended with the last message that is left.
            var reached = last == before.Last && actions != 0 ? before : _stages.GetValueOrDefault(last, after);
            foreach (var (sequence, message) in reached.Messages)
            {
                if (!after.Messages.ContainsKey(sequence) && actions == 0) continue;
                Assert.True(stream.Store.TryRead(sequence, out var read) == StoreStatus.Ok && message.Payload == Encoding.ASCII.GetString(read.Payload), $"{_where}: {sequence} is lost by a power cut that left messages up to {last} of {before.Last} to {after.Last}");
            }
            if (actions < 0) Assert.True(last == before.Last || last == after.Last, $"{_where}: part of a batch is there after a power cut: {last} of {before.Last} to {after.Last}");
        }
    }
}

using System.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.UnitTests.Storage;

/// <summary>What every store does. Memory and file inherit it.</summary>
public abstract class MessageStoreContract
{
    private protected const long Second = 1_000_000_000;

    private static readonly string[] Subjects = ["a", "b.1", "b.2", "b.1.x", "c.1.x", "c.2.x", "d", "e.1"];

    private protected abstract bool IsFile { get; }

    [Fact]
    public void A_new_store_is_empty()
    {
        using var store = Create();

        Assert.Equal(new StoreState(0, 0, 0, 0, 0, 0, 0), store.State);
        Assert.Equal(StoreStatus.BeyondEnd, store.TryRead(1, out _));
    }

    [Fact]
    public void A_message_is_read_as_it_was_appended()
    {
        using var store = Create();

        var status = store.Append("orders.new"u8, "NATS/1.0\r\nA: b\r\n\r\n"u8, "hello"u8, 42, 7, out var sequence);
        store.Commit();

        Assert.Equal(StoreStatus.Ok, status);
        Assert.Equal(1UL, sequence);
        Assert.Equal(StoreStatus.Ok, store.TryRead(1, out var message));
        Assert.Equal("orders.new", Encoding.UTF8.GetString(message.Subject));
        Assert.Equal("NATS/1.0\r\nA: b\r\n\r\n", Encoding.UTF8.GetString(message.Headers));
        Assert.Equal("hello", Encoding.UTF8.GetString(message.Payload));
        Assert.Equal(42, message.Timestamp);
        Assert.Equal(7U, message.TimeToLiveSeconds);
    }

    [Fact]
    public void The_newest_message_of_a_subject_is_found()
    {
        using var store = Create();
        Fill(store, "a", "b", "a", "c");

        Assert.Equal(StoreStatus.Ok, store.Queries.TryReadLast("a"u8, out var message));
        Assert.Equal(3UL, message.Sequence);
        Assert.Equal(StoreStatus.NotFound, store.Queries.TryReadLast("none"u8, out _));
    }

    [Fact]
    public void Purging_everything_keeps_the_next_sequence()
    {
        using var store = Create();
        Fill(store, "a", "b", "c");

        Assert.Equal(3, store.PurgeAll());
        Fill(store, "d");

        Assert.Equal(4UL, store.FirstSequence);
        Assert.Equal(4UL, store.LastSequence);
        Assert.Equal(StoreStatus.NotFound, store.TryRead(3, out _));
    }

    [Fact]
    public void Keep_counts_over_all_subjects_of_the_filter()
    {
        using var store = Create();
        Fill(store, "k.1", "k.2", "x", "k.1", "k.2");

        Assert.Equal(3, store.Retention.Purge(new SubjectFilter("k.*"), 0, 1));

        Assert.Equal(2, store.Messages);
        Assert.Equal(3UL, store.FirstSequence);
    }

    [Fact]
    public void Limits_drop_the_oldest()
    {
        using var store = Create();
        store.Retention.Limits = new StoreLimits(3, 0, 0);

        Fill(store, "a", "b", "c", "d", "e");

        Assert.Equal(3, store.Messages);
        Assert.Equal(3UL, store.FirstSequence);
    }

    [Fact]
    public void The_limit_per_subject_drops_the_oldest_of_that_subject()
    {
        using var store = Create();
        store.Retention.Limits = new StoreLimits(0, 0, 2);

        Fill(store, "a", "b", "a", "a", "b", "b");

        Assert.True(store.Queries.TryGetSubject("a"u8, out var a));
        Assert.Equal(new SubjectState(2, 3, 4), a);
        Assert.True(store.Queries.TryGetSubject("b"u8, out var b));
        Assert.Equal(new SubjectState(2, 5, 6), b);
    }

    [Fact]
    public void Messages_past_the_age_leave_in_portions()
    {
        using var store = Create();
        for (var i = 0; i < 10; i++)
        {
            store.Append("a"u8, default, default, i * Second, 0, out _);
        }

        Assert.Equal(4, store.Retention.RemoveOlderThan(8 * Second, 4));
        Assert.Equal(4, store.Retention.RemoveOlderThan(8 * Second, 100));

        Assert.Equal(9UL, store.FirstSequence);
        Assert.Equal(8 * Second, store.State.FirstTimestamp);
    }

    [Fact]
    public void A_time_to_live_ends_on_the_nanosecond()
    {
        using var store = Create();
        store.Append("a"u8, default, default, 5, 2, out _);
        store.Append("a"u8, default, default, 6, 1, out _);

        Assert.Equal(6 + Second, store.Expiries.NextAt);
        Assert.Equal(0, store.Retention.RemoveExpired(5 + Second, 10));
        Assert.Equal(1, store.Retention.RemoveExpired(6 + Second, 10));
        Assert.Equal(StoreStatus.NotFound, store.TryRead(2, out _));
        Assert.Equal(1, store.Retention.RemoveExpired(5 + (2 * Second), 10));
        Assert.Equal(long.MaxValue, store.Expiries.NextAt);
    }

    [Theory]
    [InlineData(1, 0, 1)]
    [InlineData(0, 1, 2)]
    public void Times_to_live_of_removed_messages_take_no_memory(long maxMessages, long maxMessagesPerSubject, int kept)
    {
        using var store = Create();
        store.Retention.Limits = new StoreLimits(maxMessages, 0, maxMessagesPerSubject);
        store.Append("first"u8, default, default, 1, 3, out _);
        for (var i = 1; i <= 10_000; i++) store.Append("a"u8, default, default, i, i % 2 == 0 ? 2U : 5U, out _);

        Assert.InRange(store.Expiries.Count, kept, 1100);
        Assert.Equal(kept, store.Messages);
        Assert.Equal(kept, store.Retention.RemoveExpired(10_000 + (3 * Second), 10_000));
        Assert.Equal(0, store.Messages);
        Assert.Equal(0, store.Retention.RemoveExpired(long.MaxValue, 10_000));
        Assert.Equal(0, store.Expiries.Count);
    }

    [Fact]
    public void The_observer_hears_that_a_subject_lost_its_last_message()
    {
        using var store = Create();
        var observer = new RecordingObserver();
        store.Observer = observer;
        Fill(store, "a", "a", "b");

        store.Remove(1, RemoveReason.Acknowledged);
        store.Remove(2, RemoveReason.MaxAge);
        store.PurgeAll();

        Assert.Equal(["a 1 Acknowledged False", "a 2 MaxAge True", "purged 1"], observer.Heard);
    }

    [Fact]
    public void A_moment_finds_the_first_message_not_older()
    {
        using var store = Create();
        for (var i = 1; i <= 200; i++)
        {
            store.Append("a"u8, default, new byte[100], i * 10, 0, out _);
        }

        store.Remove(50);

        Assert.Equal(1UL, store.Queries.SequenceAt(0));
        Assert.Equal(51UL, store.Queries.SequenceAt(495));
        Assert.Equal(52UL, store.Queries.SequenceAt(520));
        Assert.Equal(201UL, store.Queries.SequenceAt(2001));
    }

    [Fact]
    public void More_last_sequences_than_allowed_are_refused()
    {
        using var store = Create();
        Fill(store, "k.1", "k.2", "k.3");

        Assert.Equal(StoreStatus.TooMany, store.Queries.LastSequences(new SubjectFilter("k.*"), 0, 2, []));
    }

    [Fact]
    public void A_record_too_large_is_refused()
    {
        using var store = Create();

        Assert.Equal(StoreStatus.TooLarge, store.Append(new byte[70_000], default, default, 1, 0, out _));
        Assert.Equal(StoreStatus.TooLarge, store.Append("a"u8, default, new byte[Postrider.Storage.Records.Record.MaxBytes], 1, 0, out _));
        Assert.Equal(0UL, store.LastSequence);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(5_000)]
    [InlineData(100_000)]
    public void Skipped_sequences_hold_no_message(int distance)
    {
        using var store = Create();
        Fill(store, "a");
        var last = (ulong)distance;

        Assert.Equal(StoreStatus.Ok, store.SkipTo(last));
        Fill(store, "b");

        Assert.Equal(last + 1, store.LastSequence);
        Assert.Equal(StoreStatus.NotFound, store.TryRead(last, out _));
        Assert.Equal(StoreStatus.Ok, store.TryRead(last + 1, out _));
        var deleted = new List<SequenceRange>();
        store.Queries.DeletedRanges(deleted);
        Assert.Equal([new SequenceRange(2, last)], deleted);
    }

    [Fact]
    public void Publishing_and_reading_allocates_nothing()
    {
        using var store = CreateLarge();
        var payload = new byte[128];
        var filter = new SubjectFilter("orders.*");
        ulong at = 1;

        var allocated = StoreAllocations.PerCall(
            () =>
            {
                store.Append("orders.new"u8, default, payload, 1, 0, out _);
                store.Commit();
                store.Queries.TryFindNext(filter, at, out at);
                store.TryRead(at++, out _);
            },
            calls: 10_000);

        Assert.True(allocated < 1, $"{allocated} bytes per message");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Random_operations_agree_with_the_reference(int salt)
    {
        const int Steps = 15_000;
        var seed = Seed.Next() + salt;
        var model = new StoreModel(this, seed, Subjects);

        for (var step = 0; step < Steps; step++)
        {
            model.Step(step);
        }

        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        model.Finish();
    }

    private protected abstract MessageStore Create();

    private protected virtual MessageStore CreateLarge() => Create();

    private protected virtual MessageStore Reopen(MessageStore store, int way) => store;

    private protected static void Fill(MessageStore store, params string[] subjects)
    {
        foreach (var subject in subjects)
        {
            Assert.Equal(StoreStatus.Ok, store.Append(Encoding.UTF8.GetBytes(subject), default, "x"u8, 1, 0, out _));
        }

        Assert.Equal(StoreStatus.Ok, store.Commit());
    }

    private sealed class StoreModel
    {
        private readonly MessageStoreContract _contract;
        private readonly string[] _subjects;
        private readonly Random _random;
        private readonly int _seed;
        private readonly ReferenceStore _reference;
        private readonly SubjectFilter[] _filters = [.. StoreComparison.Filters.Select(f => new SubjectFilter(f))];
        private MessageStore _store;
        private long _now = 1;

        public StoreModel(MessageStoreContract contract, int seed, string[] subjects)
        {
            _contract = contract;
            _subjects = subjects;
            _seed = seed;
            _random = new Random(seed);
            _store = contract.Create();
            _reference = new ReferenceStore { IsFile = contract.IsFile };
        }

        public void Step(int step)
        {
            var where = $"seed {_seed} step {step}";
            switch (_random.Next(1000))
            {
                case < 600:
                    Append();
                    break;
                case < 800:
                    Remove(where);
                    break;
                case < 805:
                    Purge(where);
                    break;
                case < 808:
                    var to = _reference.Last + (ulong)_random.Next(1, _random.Next(10) == 0 ? 9000 : 20);
                    Assert.Equal(StoreStatus.Ok, _store.SkipTo(to));
                    _reference.SkipTo(to);
                    break;
                case < 811 when _reference.Last > 0:
                    var last = _reference.Last - (ulong)_random.Next((int)Math.Min(_reference.Last, 30));
                    _store.Commit();
                    Assert.Equal(StoreStatus.Ok, _store.Truncate(last));
                    _reference.Truncate(last);
                    break;
                case < 813:
                    var limits = new StoreLimits(_random.Next(3) * 100, _random.Next(3) * 20_000, _random.Next(3) * 10);
                    _reference.Limits = limits;
                    _reference.Enforce();
                    _store.Retention.Limits = limits;
                    break;
                case < 818:
                    _store.Commit();
                    var way = _random.Next(4);
                    _store = _contract.Reopen(_store, way);
                    StoreComparison.AssertState(_reference, _store, $"{where} reopened in way {way}");
                    _store.Retention.Limits = _reference.Limits;
                    break;
                case < 900:
                    Assert.Equal(StoreStatus.Ok, _store.Commit());
                    break;
                default:
                    var i = _random.Next(_filters.Length);
                    var from = _reference.First + (ulong)_random.Next(100);
                    var found = _store.Queries.TryFindNext(_filters[i], from, out var next) ? next : 0;
                    Assert.True(found == _reference.Matching(StoreComparison.Filters[i]).FirstOrDefault(s => s >= from), $"{where}: next of {StoreComparison.Filters[i]} from {from} is {found}");
                    break;
            }

            StoreComparison.AssertMessage(_reference, _store, _reference.First + (ulong)_random.Next(300), where);
            if (step % 100 == 0)
            {
                StoreComparison.AssertState(_reference, _store, where);
            }

            if (step % 3000 == 0)
            {
                _store.Commit();
                StoreComparison.AssertSame(_reference, _store, where);
            }

            if (_reference.Messages.Count > 150 || _reference.Last > _reference.First + 20_000)
            {
                Assert.Equal(_reference.PurgeBefore(_reference.Last - 50), _store.Retention.Purge(SubjectFilter.All, _store.LastSequence - 50, 0));
            }
        }

        public void Finish()
        {
            _store.Commit();
            _store = _contract.Reopen(_store, 0);
            StoreComparison.AssertSame(_reference, _store, $"seed {_seed} at the end");
            _store.Dispose();
        }

        private void Append()
        {
            _now += _random.Next(1000);
            var message = new ReferenceMessage(
                _subjects[_random.Next(_subjects.Length)],
                _random.Next(3) == 0 ? Bytes(40) : [],
                Bytes(_random.Next(20) == 0 ? 2000 : 100),
                _now,
                _random.Next(5) == 0 ? (uint)_random.Next(1, 100) : 0);
            Assert.Equal(StoreStatus.Ok, _store.Append(Encoding.UTF8.GetBytes(message.Subject), message.Headers, message.Payload, message.Timestamp, message.TimeToLive, out _));
            _reference.Append(message);
        }

        private void Remove(string where)
        {
            var sequence = _random.Next(3) == 0 ? _reference.First : _reference.First + (ulong)_random.Next((int)(_reference.Last - Math.Min(_reference.Last, _reference.First)) + 2);
            var status = _random.Next(10) == 0 ? _store.Erase(sequence) : _store.Remove(sequence);
            Assert.True(_reference.Remove(sequence) == (status == StoreStatus.Ok), $"{where}: remove of {sequence} is {status}");
        }

        private void Purge(string where)
        {
            var i = _random.Next(_filters.Length);
            var before = _random.Next(2) == 0 ? 0 : _reference.First + (ulong)_random.Next(2, 50);
            var keep = _random.Next(2) == 0 ? 0 : _random.Next(1, 5);
            if (_filters[i].IsAll && (before > 0 || keep == 0))
            {
                var expected = before == 0 ? _reference.PurgeAll(_reference.Last + 1) : _reference.PurgeBefore(before);
                Assert.True(expected == _store.Retention.Purge(_filters[i], before, keep), where);
                return;
            }

            Assert.True(_reference.Purge(StoreComparison.Filters[i], before, keep) == _store.Retention.Purge(_filters[i], before, keep), where);
        }

        private byte[] Bytes(int most)
        {
            var bytes = new byte[_random.Next(most)];
            _random.NextBytes(bytes);
            return bytes;
        }
    }

    private sealed class RecordingObserver : StoreObserver
    {
        public List<string> Heard { get; } = [];

        public override void OnRemoved(ReadOnlySpan<byte> subject, ulong sequence, long bytes, RemoveReason reason, bool lastOfSubject)
            => Heard.Add($"{Encoding.UTF8.GetString(subject)} {sequence} {reason} {lastOfSubject}");

        public override void OnPurged(long messages, long bytes) => Heard.Add($"purged {messages}");
    }
}

using System.Text;
using Postrider.Broker.JetStream.Streams;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Random days in a stream's life, beside a model that is too simple to be wrong.</summary>
/// <remarks>Requests and publishes go through the API; after each step the answer and the state agree. With the consumers' model
/// test, which takes 125,000 steps, these are the suite's model of JetStream.</remarks>
public sealed class StreamModelTests(ITestOutputHelper output)
{
    private const int Steps = 15_000;
    private const int Subjects = 6;

    [Theory]
    [InlineData("file")]
    [InlineData("memory")]
    public void Stream_agrees_with_the_model_after_every_step(string storage)
    {
        var seed = Seed.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var time = new TestClock();
        var model = new ReferenceStream(storage == "file") { WindowSeconds = 3 };
        var harness = new StreamHarness(time: time);
        harness.Do("STREAM.CREATE.S", model.Config(storage));
        for (var step = 0; step < Steps; step++)
        {
            var kind = random.Next(1000);
            var where = $"seed {seed} step {step} kind {kind}";
            switch (kind)
            {
                case < 700:
                    Publish(harness, model, random, where);
                    break;
                case < 800:
                    Delete(harness, model, random, where);
                    break;
                case < 830:
                    Purge(harness, model, random, where);
                    break;
                case < 860:
                    Change(harness, model, random, storage);
                    break;
                case < 950:
                    time.Advance(TimeSpan.FromSeconds(random.Next(1, 3)));
                    model.Expire(harness.Engine.Clock.Now);
                    break;
                case < 955 when storage == "file":
                    harness = Restart(harness, model, isKill: kind < 953);
                    break;
                default:
                    Get(harness, model, random, where);
                    break;
            }
            AssertAgrees(harness, model, where, isThorough: step % 50 == 0);
        }
        harness.Dispose();
    }

    private static void Publish(StreamHarness harness, ReferenceStream model, Random random, string where)
    {
        var subject = $"s.{random.Next(Subjects)}";
        var publish = new ReferencePublish(subject, Encoding.ASCII.GetBytes(new string('p', random.Next(40))))
        {
            Id = random.Next(4) == 0 ? $"id{random.Next(30)}" : null,
            ExpectedStream = random.Next(40) == 0 ? random.Next(2) == 0 ? "S" : "T" : null,
            ExpectedLastId = random.Next(40) == 0 ? $"id{random.Next(30)}" : null,
            ExpectedLastSequence = random.Next(20) == 0 ? model.Store.Last - (ulong)random.Next(2) : null,
            ExpectedLastSubjectSequence = random.Next(20) == 0 ? model.Store.Matching(subject).DefaultIfEmpty().Max() + (ulong)random.Next(2) : null,
            Rollup = random.Next(60) == 0 ? random.Next(3) == 0 ? "all" : "sub" : null,
            TimeToLive = random.Next(10) == 0 ? (uint)random.Next(1, 12) : 0,
        };
        var headers = publish.Headers();
        var expected = model.Publish(publish, StreamHarness.Headers(headers), harness.Engine.Clock.Now);

        var answer = harness.Publish(publish.Subject, Encoding.ASCII.GetString(publish.Payload), headers);

        var actual = answer["error"] is { } error ? $"error {error["err_code"]}" : answer["duplicate"] is not null ? $"{answer["seq"]} again" : $"{answer["seq"]}";
        Assert.True(expected == actual, $"{where}: {publish} was answered '{actual}', expected '{expected}'");
    }

    private static void Delete(StreamHarness harness, ReferenceStream model, Random random, string where)
    {
        var sequence = model.Store.First + (ulong)random.Next(12);
        var expected = model.Store.Remove(sequence);

        var answer = harness.Api("STREAM.MSG.DELETE.S", $$"""{"seq":{{sequence}},"no_erase":{{(random.Next(3) > 0 ? "true" : "false")}}}""");

        Assert.True(expected == (answer["error"] is null), $"{where}: deletion of {sequence} was answered {answer}");
    }

    private static void Purge(StreamHarness harness, ReferenceStream model, Random random, string where)
    {
        var filter = random.Next(3) switch { 0 => $"s.{random.Next(Subjects)}", 1 => "s.*", _ => null };
        var (before, keep) = random.Next(4) switch
        {
            0 => (model.Store.First + (ulong)random.Next(30), 0L),
            1 => (model.Store.Last + (ulong)random.Next(3), 0L),
            2 => (0UL, (long)random.Next(1, 20)),
            _ => (0UL, 0L),
        };
        // Everything at once, which makes a dull stream, is rare.
        if (filter is not null || before > 0 || keep > 0 || random.Next(5) == 0)
        {
            var expected = model.Purge(filter, before, keep);

            var answer = harness.Do("STREAM.PURGE.S", $$"""{"filter":"{{filter}}","seq":{{before}},"keep":{{keep}}}""");

            Assert.True(expected == (long)answer["purged"]!, $"{where}: purge of '{filter}' before {before} keeping {keep} took {answer["purged"]}, expected {expected}");
        }
    }

    private static void Change(StreamHarness harness, ReferenceStream model, Random random, string storage)
    {
        model.DiscardsNew = random.Next(3) == 0;
        model.MaxMessages = random.Next(2) == 0 ? random.Next(5, 60) : -1;
        model.MaxBytes = random.Next(3) == 0 ? random.Next(400, 4000) : -1;
        model.MaxPerSubject = random.Next(2) == 0 ? random.Next(1, 12) : -1;
        model.MaxAgeSeconds = random.Next(3) == 0 ? random.Next(5, 15) : 0;
        model.DiscardsNewPerSubject = model is { DiscardsNew: true, MaxPerSubject: > 0 } && random.Next(2) == 0;
        harness.Do("STREAM.UPDATE.S", model.Config(storage));
        model.Apply();
    }

    private static void Get(StreamHarness harness, ReferenceStream model, Random random, string where)
    {
        var subject = $"s.{random.Next(Subjects)}";
        var expected = model.Store.Matching(subject).DefaultIfEmpty().Max();

        var answer = harness.Api("STREAM.MSG.GET.S", $$"""{"last_by_subj":"{{subject}}"}""");

        var actual = answer["message"] is { } message ? (ulong)message["seq"]! : 0;
        Assert.True(expected == actual, $"{where}: the last of {subject} is {actual}, expected {expected}");
    }

    private static StreamHarness Restart(StreamHarness harness, ReferenceStream model, bool isKill)
    {
        // Killed: the next one finds the disk as it was before this one ended cleanly.
        var disk = isKill ? harness.Disk.Copy() : harness.Disk;
        harness.Dispose();
        model.Restart(harness.Engine.Clock.Now);
        return new StreamHarness(disk: disk, time: harness.Time);
    }

    private static void AssertAgrees(StreamHarness harness, ReferenceStream model, string where, bool isThorough)
    {
        Assert.True(harness.Streams.TryGetStream("S", out var stream), where);
        var store = stream.Store;
        var expected = (model.Store.Messages.Count, model.Store.First, model.Store.Last);
        Assert.True(expected == ((int)store.Messages, store.FirstSequence, store.LastSequence), $"{where}: {(store.Messages, store.FirstSequence, store.LastSequence)}, expected {expected}");
        if (!isThorough) return;
        Assert.Equal(model.Store.Bytes, store.Bytes);
        foreach (var (sequence, message) in model.Store.Messages)
        {
            Assert.True(store.TryRead(sequence, out var read) == StoreStatus.Ok, $"{where}: {sequence} cannot be read");
            Assert.True(message.Payload.AsSpan().SequenceEqual(read.Payload) && message.Headers.AsSpan().SequenceEqual(read.Headers) && message.Timestamp == read.Timestamp, $"{where}: {sequence} is another message");
        }
    }
}

using System.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.UnitTests.Storage;

/// <summary>Compares a store with the reference, by everything one can ask it.</summary>
internal static class StoreComparison
{
    public static readonly string[] Filters = ["a", "b.1", "b.*", "b.>", "*.1", ">", "c.2.x", "c.*.x", "none", "none.>"];

    public static void AssertState(ReferenceStore expected, MessageStore actual, string where)
    {
        var state = actual.State;
        if (expected.Messages.Count != state.Messages || expected.Last != state.LastSequence || (expected.Last > 0 && expected.First != state.FirstSequence) || expected.Bytes != state.Bytes)
        {
            Assert.Fail($"{where}: expected {expected.Messages.Count} messages, {expected.Bytes} bytes, {expected.First}..{expected.Last}; got {state}");
        }

        Assert.Equal(expected.Messages.Values.Select(m => m.Subject).Distinct().Count(), state.Subjects);
        Assert.Equal(expected.Messages.Count == 0 ? 0 : expected.Messages.First().Value.Timestamp, state.FirstTimestamp);
    }

    public static void AssertSame(ReferenceStore expected, MessageStore actual, string where)
    {
        AssertState(expected, actual, where);
        for (var sequence = expected.First > 3 ? expected.First - 3 : 1; sequence <= expected.Last + 2; sequence++)
        {
            AssertMessage(expected, actual, sequence, where);
        }

        foreach (var filter in Filters)
        {
            AssertFilter(expected, actual, new SubjectFilter(filter), filter, where);
        }

        var deleted = new List<SequenceRange>();
        actual.Queries.DeletedRanges(deleted);
        var missing = new List<ulong>();
        for (var sequence = expected.First; expected.Messages.Count > 0 && sequence <= expected.Last; sequence++)
        {
            if (!expected.Messages.ContainsKey(sequence))
            {
                missing.Add(sequence);
            }
        }

        Assert.Equal(missing, deleted.SelectMany(r => Enumerable.Range(0, (int)(r.Last - r.First + 1)).Select(i => r.First + (ulong)i)));
    }

    public static void AssertMessage(ReferenceStore expected, MessageStore actual, ulong sequence, string where)
    {
        var status = actual.TryRead(sequence, out var message);
        if (!expected.Messages.TryGetValue(sequence, out var wanted))
        {
            Assert.True(status == (sequence > expected.Last ? StoreStatus.BeyondEnd : StoreStatus.NotFound), $"{where}: {sequence} is {status}");
            return;
        }

        Assert.True(status == StoreStatus.Ok, $"{where}: {sequence} is {status}");
        Assert.Equal(sequence, message.Sequence);
        Assert.Equal(wanted.Subject, Encoding.UTF8.GetString(message.Subject));
        Assert.True(wanted.Headers.AsSpan().SequenceEqual(message.Headers), $"{where}: headers of {sequence}");
        Assert.True(wanted.Payload.AsSpan().SequenceEqual(message.Payload), $"{where}: payload of {sequence}");
        Assert.Equal(wanted.Timestamp, message.Timestamp);
        Assert.Equal(wanted.TimeToLive, message.TimeToLiveSeconds);
    }

    public static void AssertFilter(ReferenceStore expected, MessageStore actual, SubjectFilter filter, string text, string where)
    {
        var matching = expected.Matching(text).ToList();
        var found = new List<ulong>();
        for (ulong at = 0; actual.Queries.TryFindNext(filter, at, out var sequence); at = sequence + 1)
        {
            found.Add(sequence);
        }

        Assert.True(matching.SequenceEqual(found), $"{where}: {text} expected {string.Join(' ', matching)}, got {string.Join(' ', found)}");
        foreach (var from in new ulong[] { 0, expected.First, (expected.First + expected.Last) / 2, expected.Last, expected.Last + 1 })
        {
            Assert.Equal(matching.Count(s => s >= from), actual.Queries.CountFrom(filter, from));
            Assert.Equal(LastOf(expected, text, ulong.MaxValue).Count(s => s >= from), actual.Queries.CountLastFrom(filter, from));
            var previous = actual.Queries.TryFindPrevious(filter, from, out var sequence) ? sequence : 0;
            Assert.Equal(matching.LastOrDefault(s => s <= from), previous);
            if (from > 0)
            {
                var lasts = new List<ulong>();
                Assert.Equal(StoreStatus.Ok, actual.Queries.LastSequences(filter, from, 0, lasts));
                Assert.Equal(LastOf(expected, text, from), lasts);
            }
        }

        var subjects = new Dictionary<string, SubjectState>();
        actual.Queries.VisitSubjects(filter, subjects, static (all, subject, state) => all.TryAdd(Encoding.UTF8.GetString(subject), state));
        var wanted = matching.GroupBy(s => expected.Messages[s].Subject).ToDictionary(g => g.Key, g => new SubjectState(g.Count(), g.Min(), g.Max()));
        Assert.Equal(wanted.OrderBy(p => p.Key), subjects.OrderBy(p => p.Key));
    }

    private static List<ulong> LastOf(ReferenceStore expected, string filter, ulong upTo)
        => [.. expected.Matching(filter).Where(s => s <= upTo).GroupBy(s => expected.Messages[s].Subject).Select(g => g.Max()).Order()];
}

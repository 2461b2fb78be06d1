using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;

namespace Postrider.UnitTests.Broker.JetStream.Model;

public sealed class SubjectCountsTests
{
    [Fact]
    public void Subjects_are_ordered_by_their_bytes_and_repeated_ones_count_once()
    {
        using var counts = new SubjectCounts();
        var random = new Random(7);
        var names = Enumerable.Range(0, 5_000).Select(i => $"a.{i:x}.é{new string('z', i % 90)}").ToArray();
        random.Shuffle(names);

        foreach (var name in names.Concat(names[..100]))
            counts.Add(Encoding.UTF8.GetBytes(name), name.Length);
        counts.Sort();

        Array.Sort(names, static (x, y) => Encoding.UTF8.GetBytes(x).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(y)));
        Assert.Equal(names, Enumerable.Range(0, counts.Count).Select(place => Encoding.UTF8.GetString(counts.NameAt(place))));
        Assert.All(Enumerable.Range(0, counts.Count), place => Assert.Equal(names[place].Length, counts.MessagesAt(place)));
        Assert.False(counts.IsIncomplete);
    }

    [Theory]
    [InlineData("", 3)]
    [InlineData("orders.", 12)]
    [InlineData("orders.eight-bytes-and-more.", 1)]
    public void Subjects_with_equal_beginnings_are_ordered_by_what_follows(string beginning, int alphabet)
    {
        using var counts = new SubjectCounts();
        var random = new Random(alphabet);
        // Short names of few letters, the lowest byte among them: many are equal in their first eight bytes, or end there.
        var names = Enumerable.Range(0, 3_000)
            .Select(_ => beginning + string.Concat(Enumerable.Range(0, random.Next(0, 24)).Select(_ => (char)(1 + random.Next(alphabet)))))
            .Where(static name => name.Length > 0)
            .ToArray();

        foreach (var name in names)
            counts.Add(Encoding.UTF8.GetBytes(name), name.Length);
        counts.Sort();

        Assert.Equal(
            names.Distinct().Order(StringComparer.Ordinal),
            Enumerable.Range(0, counts.Count).Select(place => Encoding.UTF8.GetString(counts.NameAt(place))));
    }

    [Fact]
    public void Cleared_counts_are_empty_and_usable()
    {
        using var counts = new SubjectCounts();
        counts.Add("old"u8, 1);

        counts.Clear();
        counts.Add("new"u8, 2);

        Assert.Equal((1, "new", 2L), (counts.Count, Encoding.UTF8.GetString(counts.NameAt(0)), counts.MessagesAt(0)));
    }

    [Fact]
    public void Page_is_written_as_an_object_with_escaped_names()
    {
        using var counts = new SubjectCounts();
        foreach (var name in (string[])["b\"c", "a.1", "z", "a.0"])
            counts.Add(Encoding.UTF8.GetBytes(name), name.Length);
        counts.Sort();

        var json = JsonSerializer.Serialize(new StreamState { Subjects = new SubjectPage(counts, 1, 2) }, StreamJson.Default.StreamState);

        using var state = JsonDocument.Parse(json);
        Assert.Equal("""{"a.1":3,"b\"c":3}""", state.RootElement.GetProperty("subjects").GetRawText().Replace("\\u0022", "\\\"", StringComparison.Ordinal));
    }
}

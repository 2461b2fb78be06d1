using System.Text;
using Postrider.Storage;
using Postrider.Storage.Subjects;

namespace Postrider.UnitTests.Storage.Subjects;

public sealed class SubjectFilterTests
{
    private const int Subjects = 100_000;

    [Theory]
    [InlineData("k.*")]
    [InlineData("k.17")]
    public void A_filter_that_counts_or_lists_once_makes_no_room_for_what_it_learns(string pattern)
    {
        using var store = new MemoryStore(1);
        for (var i = 0; i < Subjects; i++) store.Append(Encoding.UTF8.GetBytes($"k.{i}"), default, default, i, 0, out _);
        var counted = 0L;
        var visited = 0L;

        var bytes = Allocations.PerCall(
            () =>
            {
                var filter = new SubjectFilter(pattern);
                counted = store.Queries.CountFrom(filter, 1);
                visited = 0;
                for (var place = 0; place >= 0;)
                    store.Scans.VisitSomeSubjects(filter, ref place, 1_000, this, (_, _, _) => ++visited > 0);
            },
            warmUp: 2,
            calls: 5);

        Assert.Equal(pattern == "k.*" ? Subjects : 1, counted);
        Assert.Equal(counted, visited);
        // Room for every id would be two bits for each: 25,000 bytes.
        Assert.InRange(bytes, 0, 20_000);
    }

    [Fact]
    public void What_a_filter_has_learned_about_ids_is_forgotten_when_they_mean_other_subjects()
    {
        using var store = new MemoryStore(1);
        var filter = new SubjectFilter("a.*");
        Append("a.1");
        Assert.True(store.Queries.TryFindNext(filter, 1, out _));
        Assert.Equal(1, store.Queries.CountFrom(filter, 1));
        store.Retention.Purge(SubjectFilter.All, before: 0, keep: 0);
        Append("b.1");

        Assert.Equal(0, store.Queries.CountFrom(filter, 1));
        Assert.False(store.Queries.TryFindNext(filter, 1, out _));

        void Append(string subject) => store.Append(Encoding.UTF8.GetBytes(subject), default, default, 1, 0, out _);
    }
}

using System.Text;
using Postrider.Storage.Subjects;

namespace Postrider.UnitTests.Storage.Subjects;

public sealed class SubjectTableTests
{
    [Fact]
    public void Random_additions_and_releases_agree_with_a_dictionary()
    {
        var random = new Random(11);
        using var table = new SubjectTable(3);
        var expected = new Dictionary<string, int>();

        for (var i = 0; i < 200_000; i++)
        {
            var name = $"s.{random.Next(20_000)}";
            if (expected.Remove(name, out var id))
            {
                table[id].Count = 0;
                table.Release(id);
                Assert.False(table.TryFind(Encoding.UTF8.GetBytes(name), out _));
            }
            else
            {
                id = table.GetOrAdd(Encoding.UTF8.GetBytes(name));
                table[id].Count = 1;
                expected.Add(name, id);
            }
        }

        Assert.Equal(expected.Count, table.Count);
        foreach (var (name, id) in expected)
        {
            Assert.True(table.TryFind(Encoding.UTF8.GetBytes(name), out var found));
            Assert.Equal(id, found);
            Assert.Equal(name, Encoding.UTF8.GetString(table.NameOf(id)));
        }
    }

    [Fact]
    public void An_id_gets_a_new_meaning_only_with_a_new_epoch()
    {
        using var table = new SubjectTable(3);
        var meanings = new Dictionary<(int Epoch, int Id), string>();

        for (var i = 0; i < 50_000; i++)
        {
            var name = $"once.{i}";
            var id = table.GetOrAdd(Encoding.UTF8.GetBytes(name));
            Assert.True(meanings.TryAdd((table.Epoch, id), name));
            table[id].Count = 1;
            table[id].Count = 0;
            table.Release(id);
        }

        Assert.True(table.Epoch > 10);
        Assert.True(table.IdLimit < 5_000, $"{table.IdLimit} ids for no subject");
        Assert.True(table.Bytes < 500_000, $"{table.Bytes} bytes for no subject");
    }

    [Fact]
    public void A_million_subjects_take_less_than_eighty_bytes_each()
    {
        using var table = new SubjectTable(3);
        for (var i = 0; i < 1_000_000; i++)
        {
            table[table.GetOrAdd(Encoding.UTF8.GetBytes($"$KV.bucket.key.{i:D7}"))].Count = 1;
        }

        Assert.Equal(1_000_000, table.Count);
        Assert.True(table.Bytes / 1_000_000 < 100, $"{table.Bytes / 1_000_000} bytes a subject");
    }
}

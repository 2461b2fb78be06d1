using Postrider.Memory;

namespace Postrider.UnitTests.Memory;

public sealed class SlotTableTests(ITestOutputHelper output)
{
    private const int Bits = 8;

    private SlotTable<string> _table = new(Bits, 32);

    [Fact]
    public void First_ids_are_the_smallest_numbers_and_0_is_none()
    {
        Assert.Equal([1L, 2L, 3L], new[] { Add("a"), Add("b"), Add("c") });
        Assert.Null(_table.Find(0));
    }

    [Fact]
    public void Value_is_found_until_it_is_removed_once()
    {
        var id = Add("a");

        Assert.Equal("a", _table.Find(id));
        Assert.True(_table.TryRemove(id, out var removed));
        Assert.Equal("a", removed);
        Assert.False(_table.TryRemove(id, out _));
        Assert.Null(_table.Find(id));
        Assert.Equal(0, _table.Count);
    }

    [Fact]
    public void Id_that_comes_too_late_does_not_find_the_value_that_has_the_place_now()
    {
        var first = Add("a");
        _table.TryRemove(first, out _);

        var second = Add("b");

        Assert.Equal(1L << Bits, second - first);
        Assert.Null(_table.Find(first));
        Assert.False(_table.TryRemove(first, out _));
        Assert.Equal("b", _table.Find(second));
    }

    [Fact]
    public void Renewed_value_is_found_by_its_new_id_alone()
    {
        var first = Add("a");

        Assert.True(_table.TryRenew(first, out var second));

        Assert.Null(_table.Find(first));
        Assert.Equal("a", _table.Find(second));
        Assert.False(_table.TryRenew(first, out _));
        Assert.Equal(1, _table.Count);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(100)]
    public void Table_takes_as_many_values_as_its_capacity(int capacity)
    {
        _table = new SlotTable<string>(Bits, 32, capacity);
        var ids = Enumerable.Range(0, capacity).Select(i => Add(i.ToString())).ToArray();

        Assert.False(_table.TryAdd("more", out var none));
        Assert.Equal((0L, capacity), (none, _table.Count));
        Assert.Equal(capacity, ids.Distinct().Count());
        Assert.All(ids, (id, i) => Assert.Equal(i.ToString(), _table.Find(id)));
        _table.TryRemove(ids[0], out _);
        Assert.True(_table.TryAdd("more", out _));
    }

    [Fact]
    public void Bits_of_the_place_bound_the_table()
    {
        _table = new SlotTable<string>(2, 32);
        Add("a");
        Add("b");
        Add("c");

        Assert.False(_table.TryAdd("d", out _));
    }

    [Fact]
    public void Generation_that_has_used_up_its_bits_starts_again()
    {
        _table = new SlotTable<string>(Bits, 2, 1);
        List<long> ids = [];
        for (var use = 0; use < 5; use++)
        {
            ids.Add(Add("a"));
            _table.TryRemove(ids[^1], out _);
        }

        Assert.Equal(ids[0], ids[4]);
        Assert.Equal(4, ids.Distinct().Count());
    }

    [Theory]
    [InlineData(long.MaxValue)]
    [InlineData(-1)]
    [InlineData(200)]
    [InlineData((1L << Bits) + 1)]
    public void Id_that_was_never_given_finds_nothing(long id)
    {
        Add("a");

        Assert.Null(_table.Find(id));
        Assert.False(_table.TryRemove(id, out _));
        Assert.False(_table.TryRenew(id, out _));
    }

    [Fact]
    public void Cleared_table_gives_its_values_and_takes_new_ones()
    {
        var ids = new[] { Add("a"), Add("b"), Add("c") };
        _table.TryRemove(ids[1], out _);

        var removed = _table.Clear();

        Assert.Equal(["a", "c"], removed);
        Assert.Equal(0, _table.Count);
        Assert.All(ids, id => Assert.Null(_table.Find(id)));
        Assert.Equal("d", _table.Find(Add("d")));
    }

    [Fact]
    public void Random_changes_agree_with_a_dictionary()
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        var model = new Dictionary<long, string>();
        var ended = new List<long>();
        _table = new SlotTable<string>(Bits, 32, 100);

        for (var step = 0; step < 20_000; step++)
        {
            var (kind, known) = (random.Next(5), model.Count > 0 ? model.Keys.ElementAt(random.Next(model.Count)) : 0);
            if (kind < 2)
            {
                Assert.Equal(model.Count < 100, _table.TryAdd(step.ToString(), out var id));
                if (id != 0)
                    model.Add(id, step.ToString());
            }
            else if (known != 0 && kind < 4)
            {
                Assert.True(_table.TryRemove(known, out var value));
                Assert.Equal(model[known], value);
                model.Remove(known);
                ended.Add(known);
            }
            else if (known != 0)
            {
                Assert.True(_table.TryRenew(known, out var renewed));
                model.Add(renewed, model[known]);
                model.Remove(known);
                ended.Add(known);
            }

            Assert.Equal(model.Count, _table.Count);
        }

        Assert.All(model, pair => Assert.Equal(pair.Value, _table.Find(pair.Key)));
        Assert.All(ended, id => Assert.Null(_table.Find(id)));
        Assert.Equal(model.Values.Order(), Places().Order());
    }

    [Fact]
    public async Task Reader_without_the_lock_never_finds_another_value_than_its_ids()
    {
        var table = new Shared();
        using var stop = new CancellationTokenSource();
        var reader = Task.Run(
            () =>
            {
                long looked = 0;
                while (!stop.IsCancellationRequested)
                {
                    var box = Volatile.Read(ref table.Latest);
                    if (box is not null && table.Values.Find(box.Id) is { } found)
                        Assert.Same(box, found);
                    looked++;
                }
                return looked;
            },
            CancellationToken.None);

        for (var i = 0; i < 200_000; i++)
        {
            var box = new Box();
            table.Values.TryAdd(box, out box.Id);
            Volatile.Write(ref table.Latest, box);
            // Now and then one stays, so that the table grows under the reader.
            if (i % 1_000 != 0)
                table.Values.TryRemove(box.Id, out _);
        }
        await stop.CancelAsync();

        Assert.True(await reader > 0);
    }

    [Fact]
    public void Use_of_a_place_allocates_nothing()
    {
        Add("a");
        _table.TryRemove(1, out _);

        Assert.Equal(0, Allocations.PerCall(() =>
        {
            _table.TryAdd("a", out var id);
            _table.TryRemove(id, out _);
        }));
    }

    private List<string> Places()
    {
        var values = new List<string>();
        for (var place = 1; place < _table.End; place++)
        {
            if (_table.At(place) is { } value)
                values.Add(value);
        }
        return values;
    }

    private long Add(string value)
    {
        Assert.True(_table.TryAdd(value, out var id));
        return id;
    }

    private sealed class Box
    {
        public long Id;
    }

    private sealed class Shared
    {
        public SlotTable<Box> Values = new(16, 32);
        public Box? Latest;
    }
}

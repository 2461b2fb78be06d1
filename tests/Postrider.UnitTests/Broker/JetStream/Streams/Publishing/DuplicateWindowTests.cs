using System.Text;
using Postrider.Broker.JetStream.Streams.Publishing;

namespace Postrider.UnitTests.Broker.JetStream.Streams.Publishing;

/// <summary>The ids of recent messages: what is found, and what they take.</summary>
public sealed class DuplicateWindowTests(ITestOutputHelper output)
{
    private const int Steps = 300_000;

    private readonly IdMemory _memory = new(long.MaxValue);

    [Fact]
    public void Every_step_agrees_with_a_dictionary()
    {
        var seed = Seed.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var window = new DuplicateWindow(_memory) { Window = 1_000_000 };
        var model = new List<(string Id, ulong Sequence, long Timestamp)>();
        var known = new Dictionary<string, ulong>(StringComparer.Ordinal);
        var (now, last, kept) = (0L, 0UL, 0UL);
        var mostAtOnce = 0;
        for (var step = 0; step < Steps; step++)
        {
            var where = $"seed {seed} step {step}";
            // Times of many ids alternate with times of few: the table grows and shrinks.
            now += random.Next(step / 20_000 % 2 == 0 ? 100 : 10_000);
            Expire();
            switch (random.Next(10_000))
            {
                case < 9900:
                    var id = Id(random);
                    var isKnown = window.TryFind(Encoding.UTF8.GetBytes(id), now, out var found);
                    Assert.True(isKnown == known.TryGetValue(id, out var expected) && found == expected, where);
                    if (isKnown) break;
                    window.Add(Encoding.UTF8.GetBytes(id), ++last, now);
                    model.Add((id, last, now));
                    known.Add(id, last);
                    break;
                case < 9950:
                    window.RemoveExpired(now);
                    kept = last;
                    break;
                case < 9999:
                    var above = Math.Max(kept, last - Math.Min(last, (ulong)random.Next(2000)));
                    window.ForgetAbove(above);
                    model.RemoveAll(entry => entry.Sequence > above && known.Remove(entry.Id));
                    break;
                default:
                    now += window.Window;
                    Expire();
                    break;
            }
            mostAtOnce = Math.Max(mostAtOnce, known.Count);
            Assert.True(window.Bytes == _memory.Bytes && window.Count >= known.Count, where);
        }
        Drain(window, now + window.Window);

        Assert.InRange(mostAtOnce, 5000, 100_000);
        Assert.Equal((0, 0L, 0L, long.MaxValue), (window.Count, window.Bytes, _memory.Bytes, window.NextAt));

        void Expire()
        {
            var count = model.TakeWhile(entry => entry.Timestamp + window.Window <= now).Count();
            foreach (var entry in model.Take(count)) known.Remove(entry.Id);
            model.RemoveRange(0, count);
        }
    }

    [Fact]
    public void An_id_of_36_bytes_takes_at_most_80()
    {
        var window = new DuplicateWindow(_memory) { Window = long.MaxValue };
        for (var i = 0; i < 100_000; i++) window.Add(Encoding.UTF8.GetBytes($"{i:D36}"), (ulong)i + 1, 0);

        Assert.InRange(window.Bytes, 60 * 100_000, 80 * 100_000);
        Assert.Equal(100_000, window.Count);
    }

    [Fact]
    public void A_single_id_takes_less_than_a_kilobyte()
    {
        var window = new DuplicateWindow(_memory) { Window = long.MaxValue };

        window.Add("a"u8, 1, 0);

        Assert.InRange(window.Bytes, 1, 1023);
    }

    [Fact]
    public void Ids_as_long_as_headers_allow_are_found()
    {
        var window = new DuplicateWindow(_memory) { Window = 10 };
        var ids = Enumerable.Range(0, 20).Select(static i => new byte[65_400 + (i * 20)]).ToList();
        for (var i = 0; i < ids.Count; i++)
        {
            ids[i][^1] = (byte)i;
            window.Add(ids[i], (ulong)i + 1, i);
        }

        for (var i = 0; i < ids.Count; i++)
        {
            Assert.True(window.TryFind(ids[i], 0, out var sequence));
            Assert.Equal((ulong)i + 1, sequence);
        }
        Assert.False(window.TryFind(ids[9], 19, out _));
        Assert.True(window.TryFind(ids[10], 19, out _));
        Drain(window, 29);
        Assert.Equal(0, _memory.Bytes);
    }

    [Fact]
    public void Ids_with_bytes_that_are_no_text_are_different()
    {
        var window = new DuplicateWindow(_memory) { Window = 10 };
        window.Add([0xff, 0xfe], 1, 0);
        window.Add([0xff, 0xfd], 2, 0);

        Assert.True(window.TryFind([0xff, 0xfd], 0, out var second));
        Assert.False(window.TryFind([0xff], 0, out _));
        Assert.Equal(2UL, second);
    }

    [Fact]
    public void Nothing_is_remembered_without_a_window()
    {
        var window = new DuplicateWindow(new IdMemory(0));

        window.Add("a"u8, 1, 0);

        Assert.False(window.TryFind("a"u8, 0, out _));
        Assert.True(window.HasRoom(1000));
        Assert.Equal((0, 0L), (window.Count, window.Bytes));
    }

    [Fact]
    public void The_streams_of_an_account_share_the_memory()
    {
        var memory = new IdMemory(1900);
        var (one, other) = (new DuplicateWindow(memory) { Window = 10 }, new DuplicateWindow(memory) { Window = 10 });
        one.Add(new byte[900], 1, 0);
        other.Add(new byte[900], 1, 0);

        Assert.False(other.HasRoom(1));
        one.Clear();
        Assert.True(other.HasRoom(1));
    }

    private static void Drain(DuplicateWindow window, long now)
    {
        while (window.NextAt <= now) window.RemoveExpired(now);
    }

    // Short ids repeat themselves.
    private static string Id(Random random) => random.Next(3) switch
    {
        0 => $"{random.Next(20_000)}",
        1 => $"{random.Next(20_000):D40}",
        _ => new string('x', random.Next(300)) + random.NextInt64(),
    };
}

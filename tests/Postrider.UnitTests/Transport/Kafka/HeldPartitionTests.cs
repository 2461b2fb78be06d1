using Confluent.Kafka;
using Postrider.Transport.Kafka;

namespace Postrider.UnitTests.Transport.Kafka;

public sealed class HeldPartitionTests
{
    private readonly HeldPartition _partition = new(new TopicPartition("orders", 0));

    [Fact]
    public void Position_stays_before_the_first_message_that_is_not_finished()
    {
        var (first, second, third) = (_partition.Add(10), _partition.Add(11), _partition.Add(12));

        _partition.Complete(third);
        _partition.Complete(second);
        var before = _partition.Position;
        _partition.Complete(first);

        Assert.Equal((-1, 13, 0), (before, _partition.Position, _partition.Unsettled));
    }

    [Fact]
    public void Gaps_of_a_compacted_log_do_not_hold_the_position()
    {
        var (first, second) = (_partition.Add(3), _partition.Add(900));

        _partition.Complete(first);
        var between = _partition.Position;
        _partition.Complete(second);

        Assert.Equal((4, 901), (between, _partition.Position));
    }

    [Fact]
    public void Random_completions_never_pass_an_unfinished_message()
    {
        var seed = Seed.Next();
        var open = new List<HeldMessage>();
        var random = new Random(seed);
        long next = 0;
        for (var step = 0; step < 5_000; step++)
        {
            if (open.Count == 0 || random.Next(2) == 0)
            {
                open.Add(_partition.Add(next += random.Next(1, 4)));
            }
            else
            {
                var at = random.Next(open.Count);
                _partition.Complete(open[at]);
                open.RemoveAt(at);
            }

            Assert.True(open.Count == 0 ? _partition.Position == next + 1 : _partition.Position <= open.Min(static message => message.Offset), $"seed {seed}, step {step}");
            Assert.Equal(open.Count, _partition.Unsettled);
        }
    }

    [Fact]
    public void Log_that_begins_anew_forgets_what_was_read_before()
    {
        var old = _partition.Add(41);
        _partition.Complete(_partition.Add(42));
        _partition.Committed = 41;

        var first = _partition.Add(0);
        var second = _partition.Add(41);
        _partition.Complete(old);
        var unsettled = _partition.Unsettled;
        _partition.Complete(first);

        Assert.Equal((2, 1, 1, -1), (unsettled, _partition.Unsettled, _partition.Position, _partition.Committed));
        _partition.Complete(second);
        Assert.Equal(42, _partition.Position);
    }

    [Fact]
    public async Task Lost_partition_begins_nothing_more_and_its_end_can_be_awaited()
    {
        Assert.True(_partition.TryBegin());

        _partition.Lose();
        Assert.False(_partition.TryBegin());
        var waiting = Task.Run(() => _partition.WaitUntilIdle(TimeSpan.FromMinutes(5)), TestContext.Current.CancellationToken);
        _partition.End();

        await waiting.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        Assert.True(_partition.IsLost);
    }
}

using System.Text;
using Postrider.Storage.Consumers;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage.Consumers;

public sealed class ConsumerJournalTests
{
    private const string Name = "consumer.log";

    [Fact]
    public void The_floor_follows_the_lowest_open_delivery()
    {
        var state = new ConsumerState();
        for (ulong i = 1; i <= 4; i++)
        {
            state.Deliver(i * 10, i, 1, 5, expectsAck: true);
        }

        state.Acknowledge(20);
        Assert.Equal(0UL, state.AckFloorStream);
        state.Acknowledge(10);
        Assert.Equal((29UL, 2UL), (state.AckFloorStream, state.AckFloorConsumer));
        state.AcknowledgeUpTo(40, 4);
        Assert.Equal((40UL, 4UL, 0), (state.AckFloorStream, state.AckFloorConsumer, state.Pending.Count));
    }

    [Fact]
    public void The_shown_floor_stays_below_what_was_given_up_until_nothing_is_open()
    {
        var state = new ConsumerState();
        for (ulong i = 1; i <= 4; i++)
        {
            state.Deliver(i * 10, i, 1, 5, expectsAck: true);
        }

        state.Exhaust(10, 1);
        Assert.Equal(((0UL, 0UL), 19UL), (state.ShownFloor, state.AckFloorStream));
        state.Acknowledge(20);
        Assert.Equal(((0UL, 0UL), 29UL), (state.ShownFloor, state.AckFloorStream));
        state.Acknowledge(30);
        state.Acknowledge(40);
        Assert.Equal((40UL, 4UL), state.ShownFloor);
    }

    [Fact]
    public void The_shown_floor_moves_with_the_delivery_next_to_it()
    {
        var state = new ConsumerState();
        for (ulong i = 1; i <= 4; i++)
        {
            state.Deliver(i * 10, i, 1, 5, expectsAck: true);
        }

        state.Exhaust(20, 1);
        Assert.Equal((0UL, 0UL), state.ShownFloor);
        state.Acknowledge(10);
        Assert.Equal((29UL, 2UL), state.ShownFloor);
    }

    [Fact]
    public void The_shown_floor_moves_when_all_up_to_an_open_message_is_done()
    {
        var state = new ConsumerState();
        for (ulong i = 1; i <= 4; i++)
        {
            state.Deliver(i * 10, i, 1, 5, expectsAck: true);
        }

        state.Exhaust(20, 1);
        state.AcknowledgeUpTo(20, 2);
        Assert.Equal(((0UL, 0UL), 20UL), (state.ShownFloor, state.AckFloorStream));
        state.AcknowledgeUpTo(30, 3);
        Assert.Equal((30UL, 3UL), state.ShownFloor);
    }

    [Fact]
    public void Every_committed_step_survives_a_kill()
    {
        var random = new Random(3);
        var disk = new SimulatedDisk();
        var expected = new ConsumerState();
        ulong next = 1;
        for (var round = 0; round < 100; round++)
        {
            var log = ConsumerJournal.Open(disk, Name, out var damaged);
            Assert.Null(damaged);
            AssertSame(expected, log.State);
            for (var step = random.Next(200); step > 0; step--)
            {
                if (random.Next(2) == 0 || log.State.Pending.Count == 0)
                {
                    log.Deliver(next, next, (ulong)random.Next(1, 4), random.Next(), true);
                    next++;
                }
                else if (random.Next(10) == 0)
                {
                    log.Exhaust(log.State.Pending.All().First().StreamSequence, 3);
                }
                else if (random.Next(10) == 0)
                {
                    log.AcknowledgeUpTo(log.State.AckFloorStream + 3, log.State.AckFloorConsumer + 3);
                }
                else
                {
                    log.Acknowledge(log.State.Pending.All().ElementAtOrDefault(random.Next(20)).StreamSequence);
                }
            }

            log.Commit();
            expected.CopyFrom(log.State);
            log.Deliver(next + 1000, next, 1, 1, true);
            disk = disk.Copy();
        }

        Assert.True(disk.Contents(Name).Length < 300_000);
    }

    [Fact]
    public void A_whole_log_is_gone_on_with_and_costs_no_flush_at_a_start()
    {
        var disk = new SimulatedDisk();
        using (var before = ConsumerJournal.Open(disk, Name, out _))
        {
            before.Deliver(1, 1, 1, 1, true);
            before.Commit();
        }

        var syncs = disk.Syncs;
        using (var again = ConsumerJournal.Open(disk, Name, out _))
        {
            Assert.True(again.Existed);
            again.Deliver(2, 2, 1, 1, true);
            again.Acknowledge(1);
            again.Commit();
        }

        using var after = ConsumerJournal.Open(disk, Name, out var damaged);

        Assert.Equal(syncs, disk.Syncs);
        Assert.Null(damaged);
        Assert.Equal((2UL, 1UL, 1), (after.State.DeliveredStream, after.State.AckFloorStream, after.State.Pending.Count));
    }

    [Fact]
    public void A_log_cut_at_any_byte_keeps_its_whole_commits()
    {
        var disk = new SimulatedDisk();
        var ends = new List<(int Length, ulong Delivered)>();
        using (var log = ConsumerJournal.Open(disk, Name, out _))
        {
            for (ulong i = 1; i <= 10; i++)
            {
                log.Deliver(i, i, 1, 1, true);
                log.Commit();
                ends.Add((disk.Contents(Name).Length, i));
            }
        }

        var whole = disk.Contents(Name);
        for (var cut = 0; cut <= whole.Length; cut++)
        {
            var torn = disk.Copy();
            torn.Replace(Name, whole[..cut]);
            using var log = ConsumerJournal.Open(torn, Name, out _);
            Assert.Equal(ends.LastOrDefault(e => e.Length <= cut).Delivered, log.State.DeliveredStream);
        }
    }

    [Fact]
    public void A_steady_consumer_allocates_nothing_and_its_file_stays_short()
    {
        var disk = new SimulatedDisk();
        using var log = ConsumerJournal.Open(disk, Name, out _);
        ulong next = 1;

        var allocated = StoreAllocations.PerCall(
            () =>
            {
                log.Deliver(next, next, 1, 1, true);
                log.Acknowledge(next++);
            },
            calls: 1000);
        log.Commit();

        // The batch's buffer doubles a few times; nothing else does.
        Assert.True(allocated < 64, $"{allocated} bytes a message");
        Assert.Equal(next - 1, log.State.AckFloorStream);
    }

    [Fact]
    public void Steps_taken_while_the_log_is_written_anew_survive_a_kill_at_any_time()
    {
        var disk = new SimulatedDisk();
        var due = new List<IStoreFile>();
        using var log = ConsumerJournal.Open(disk, Name, out _);
        log.CompactionDue = due.Add;
        ulong next = 1;

        TakeSteps(until: 1);
        AssertSurvives();
        TakeSteps(steps: 500);
        AssertSurvives();
        due[0].Sync();
        log.Finish(due[0]);
        AssertSurvives();
        Assert.True(disk.Contents(Name).Length < 200_000);

        TakeSteps(until: 2);
        log.Abandon(due[1]);
        TakeSteps(until: 3);
        AssertSurvives();
        log.Rewrite();
        TakeSteps(steps: 500);
        log.Finish(due[2]);
        AssertSurvives();
        Assert.True(disk.Contents(Name).Length < 200_000);

        void TakeSteps(int until = 0, int steps = 0)
        {
            for (var i = 0; due.Count < until || i < steps; i++)
            {
                for (var n = 0; n < 10; n++)
                {
                    log.Deliver(next, next, 1, 1_700_000_000_000_000_000, true);
                    if (n > 0) log.Acknowledge(next);
                    next++;
                }

                log.Acknowledge(next - 10);
                if (i % 7 == 0) log.Deliver(next, next++, 1, 1_700_000_000_000_000_000, true);
                log.Commit();
                if (i % 7 == 0) log.AcknowledgeUpTo(next - 1, next - 1);
                log.Commit();
            }
        }

        void AssertSurvives()
        {
            using var again = ConsumerJournal.Open(disk.Copy(), Name, out var damaged);
            Assert.Null(damaged);
            AssertSame(log.State, again.State);
        }
    }

    [Fact]
    public void A_disk_that_refuses_the_new_file_keeps_the_old_one_in_use()
    {
        var disk = new SimulatedDisk();
        IStoreFile? due = null;
        using var log = ConsumerJournal.Open(disk, Name, out _);
        log.CompactionDue = file => due = file;
        ulong next = 1;
        while (due is null)
        {
            log.Deliver(next, next, 1, 1_700_000_000_000_000_000, true);
            log.Acknowledge(next++);
            if (next % 50 == 0) log.Commit();
        }

        disk.FailSync = true;
        Assert.ThrowsAny<IOException>(due.Sync);
        log.Abandon(due);
        log.Deliver(next, next, 1, 1, true);
        log.Commit();

        using var again = ConsumerJournal.Open(disk.Copy(), Name, out _);
        AssertSame(log.State, again.State);
    }

    [Fact]
    public void A_power_cut_while_files_are_replaced_shows_the_old_or_the_new_one()
    {
        var disk = new SimulatedDisk();
        var log = ConsumerJournal.Open(disk, "state.log", out _);
        log.Deliver(1, 1, 1, 5, expectsAck: true);
        log.Acknowledge(1);
        log.Commit();
        log.Sync();
        MetadataFile.Write(disk, "meta.json", "old"u8);
        disk.Sync();
        log.Rewrite();
        MetadataFile.Write(disk, "meta.json", "newer"u8);

        for (var cut = 0; cut < 50; cut++)
        {
            var after = disk.PowerCut(new Random(cut));
            Assert.Equal(1UL, ConsumerJournal.Open(after, "state.log", out _).State.AckFloorStream);
            Assert.Equal(StoreStatus.Ok, MetadataFile.TryRead(after, "meta.json", out var json, out _));
            Assert.Contains(Encoding.UTF8.GetString(json), (string[])["old", "newer"]);
        }
    }

    [Fact]
    public void Metadata_is_read_as_written_and_any_flipped_byte_is_noticed()
    {
        var disk = new SimulatedDisk();
        MetadataFile.Write(disk, "meta.json", """{"name":"ORDERS"}"""u8);

        Assert.Equal(StoreStatus.Ok, MetadataFile.TryRead(disk, "meta.json", out var json, out var note));
        Assert.Equal("""{"name":"ORDERS"}"""u8.ToArray(), json);
        Assert.Null(note);
        Assert.Equal(StoreStatus.NotFound, MetadataFile.TryRead(disk, "other.json", out _, out _));
        var whole = disk.Contents("meta.json");
        for (var i = 0; i < whole.Length; i++)
        {
            var flipped = (byte[])whole.Clone();
            flipped[i] ^= 1;
            disk.Replace("meta.json", flipped);
            disk.Delete("meta.json.copy");
            Assert.Equal(StoreStatus.Damaged, MetadataFile.TryRead(disk, "meta.json", out _, out _));
        }
    }

    [Theory]
    [InlineData("meta.json", true)]
    [InlineData("meta.json", false)]
    [InlineData("meta.json.copy", true)]
    [InlineData("meta.json.copy", false)]
    public void Metadata_survives_the_loss_of_one_of_its_files(string harmed, bool gone)
    {
        var disk = new SimulatedDisk();
        MetadataFile.Write(disk, "meta.json", """{"name":"ORDERS"}"""u8);
        if (gone) disk.Delete(harmed);
        else disk.Replace(harmed, [1, 2, 3]);

        Assert.Equal(StoreStatus.Ok, MetadataFile.TryRead(disk, "meta.json", out var json, out var note));
        Assert.Equal("""{"name":"ORDERS"}"""u8.ToArray(), json);
        Assert.Equal(harmed == "meta.json", note is not null);

        // Both are there again.
        disk.Delete("meta.json");
        Assert.Equal(StoreStatus.Ok, MetadataFile.TryRead(disk, "meta.json", out _, out _));
    }

    [Fact]
    public void Damaged_stretch_costs_what_was_in_it_and_no_more()
    {
        var disk = new SimulatedDisk();
        using (var log = ConsumerJournal.Open(disk, Name, out _)) AcknowledgeOneByOne(log, 500);
        var whole = disk.Contents(Name);
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        for (var round = 0; round < 100; round++)
        {
            var bytes = (byte[])whole.Clone();
            var at = random.Next(bytes.Length - 400);
            var length = 1 + random.Next(200);
            bytes.AsSpan(at, length).Clear();
            var harmed = disk.Copy();
            harmed.Replace(Name, bytes);

            using var log = ConsumerJournal.Open(harmed, Name, out var damage);

            // A delivery and its acknowledgement are two frames of 20 to 30 bytes.
            Assert.True(damage is not null || bytes.AsSpan().SequenceEqual(whole), $"{length} bytes at {at}");
            var open = (damage?.Unknown.Sum(static range => (int)(range.Last - range.First + 1)) ?? 0) + log.State.Pending.Count;
            Assert.InRange(open, 0, (length / 20) + 2);
            Assert.Equal(500UL, log.State.DeliveredStream);
        }
    }

    [Theory]
    [InlineData("remove")]
    [InlineData("empty")]
    [InlineData("zero the middle")]
    [InlineData("flip near the end")]
    [InlineData("cut in the middle")]
    [InlineData("cut between two frames")]
    [InlineData("noise")]
    public void Copy_of_a_clean_end_keeps_every_acknowledgement(string harm)
    {
        var disk = new SimulatedDisk();
        var lengths = new List<int>();
        using (var log = ConsumerJournal.Open(disk, Name, out _))
        {
            AcknowledgeOneByOne(log, 500, () => lengths.Add(disk.Contents(Name).Length));
            log.WriteCopy();
        }

        var bytes = disk.Contents(Name);
        if (harm == "zero the middle") bytes.AsSpan(bytes.Length / 2, 200).Clear();
        else if (harm == "flip near the end") bytes[^10] ^= 1;
        else if (harm == "noise") new Random(1).NextBytes(bytes);
        disk.Replace(Name, harm switch
        {
            "empty" => [],
            "cut in the middle" => bytes[..(bytes.Length / 2)],
            "cut between two frames" => bytes[..lengths[200]],
            _ => bytes,
        });
        if (harm == "remove") disk.Delete(Name);

        using var after = ConsumerJournal.Open(disk, Name, out var damage);

        Assert.NotNull(damage);
        Assert.Contains(Name, damage.Problem, StringComparison.Ordinal);
        Assert.Equal((500UL, 500UL, 0), (after.State.DeliveredStream, after.State.AckFloorStream, after.State.Pending.Count));
        Assert.Empty(damage.Unknown);
    }

    [Fact]
    public void Copy_of_before_a_consumer_went_back_is_not_taken()
    {
        var disk = new SimulatedDisk();
        using (var log = ConsumerJournal.Open(disk, Name, out _))
        {
            AcknowledgeOneByOne(log, 50);
            log.WriteCopy();
            log.State.StartAfter(10);
            log.Rewrite();
        }

        disk.Delete(Name);
        using var after = ConsumerJournal.Open(disk, Name, out _);

        Assert.False(after.Existed);
        Assert.Equal(0UL, after.State.DeliveredStream);
    }

    [Fact]
    public void Log_of_another_consumer_is_not_taken()
    {
        var disk = new SimulatedDisk();
        using (var log = ConsumerJournal.Open(disk, Name, 7, out _)) AcknowledgeOneByOne(log, 50);

        using var own = ConsumerJournal.Open(disk.Copy(), Name, 7, out var none);
        using var other = ConsumerJournal.Open(disk, Name, 8, out var damage);

        Assert.Null(none);
        Assert.Equal(50UL, own.State.AckFloorStream);
        Assert.Contains("belongs to another consumer", damage!.Problem, StringComparison.Ordinal);
        Assert.Equal(0UL, other.State.DeliveredStream);
    }

    private static void AcknowledgeOneByOne(ConsumerJournal log, int messages, Action? each = null)
    {
        for (ulong i = 1; i <= (ulong)messages; i++)
        {
            log.Deliver(i, i, 1, 1_700_000_000_000_000_000, true);
            log.Commit();
            log.Acknowledge(i);
            log.Commit();
            each?.Invoke();
        }
    }

    private static void AssertSame(ConsumerState expected, ConsumerState actual)
    {
        Assert.Equal(
            (expected.DeliveredStream, expected.DeliveredConsumer, expected.AckFloorStream, expected.AckFloorConsumer),
            (actual.DeliveredStream, actual.DeliveredConsumer, actual.AckFloorStream, actual.AckFloorConsumer));
        Assert.Equal(expected.ShownFloor, actual.ShownFloor);
        Assert.Equal(expected.Pending.All(), actual.Pending.All());
        Assert.Equal(expected.Redelivered.OrderBy(p => p.Key), actual.Redelivered.OrderBy(p => p.Key));
    }
}

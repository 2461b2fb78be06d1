using System.Text;
using Postrider.Storage;
using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.UnitTests.Storage;

/// <summary>The log under kills, power cuts and disks that refuse: what was promised is there afterwards.</summary>
public class CrashTests
{
    // What the store sees of a disk.
    private protected virtual IStoreFolder View(SimulatedDisk disk) => disk;

    [Theory]
    [InlineData(0, 300)]
    [InlineData(2, 300)]
    public void Every_acknowledged_operation_survives(int durabilityNumber, int rounds)
    {
        var durability = (StoreDurability)durabilityNumber;
        var seed = Seed.Next();
        var random = new Random(seed);
        var disk = new SimulatedDisk();
        var reference = new ReferenceStore { IsFile = true };
        ulong[] promised = [];
        for (var round = 0; round < rounds; round++)
        {
            var where = $"seed {seed} round {round}";
            var options = new FileStoreOptions { Durability = durability, BlockBytes = 4096, Memory = new IndexCacheBudget(10_000), Compress = round % 3 == 0 };
            var store = FileStore.Open(View(disk), options);
            Assert.True(store.Fault is null, where);
            Assert.True(store.Recovery.Damaged.TrueForAll(d => !promised.Any(s => s >= d.LostFirst && s <= d.LostLast)), $"{where}: {string.Join(' ', store.Recovery.Damaged)}");
            StoreComparison.AssertState(reference, store, where);
            if (round % 10 == 0)
            {
                StoreComparison.AssertSame(reference, store, where);
            }

            var committed = Work(store, reference, random);
            if (round % 5 == 4)
            {
                // A clean end: what is killed later begins with its snapshot.
                store.Dispose();
                committed = reference.Copy();
            }

            // Killed here, in the middle of what was not committed: nothing of the store is closed.
            promised = [.. committed.Messages.Keys];
            disk = durability == StoreDurability.PageCache ? disk.Copy() : disk.PowerCut(random);
            reference = Reconcile(disk, committed, reference, options, where);
        }
    }

    [Fact]
    public void A_group_commit_is_reported_only_when_the_disk_has_it()
    {
        using var committer = new GroupCommitter();
        var disk = new SimulatedDisk();
        using var store = FileStore.Open(View(disk), new FileStoreOptions { Durability = StoreDurability.GroupSync, Committer = committer });
        using var done = new ManualResetEventSlim();
        long reported = 0;
        store.Durable = (commit, fault) =>
        {
            Assert.Null(fault);
            Interlocked.Exchange(ref reported, commit);
            if (commit >= 1000)
            {
                done.Set();
            }
        };

        for (var i = 0; i < 1000; i++)
        {
            store.Append("a"u8, default, "payload"u8, i, 0, out _);
            Assert.Equal(StoreStatus.Ok, store.Commit());
        }

        Assert.True(done.Wait(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal(1000, store.DurableCommit);
        using var after = FileStore.Open(View(disk.PowerCut(new Random(1))));
        Assert.Equal(1000, after.Messages);
    }

    [Fact]
    public void A_group_commit_is_reported_behind_its_flush()
    {
        var seed = Seed.Next();
        var random = new Random(seed);
        using var committer = new GroupCommitter();
        var disk = new SimulatedDisk();
        using var store = FileStore.Open(View(disk), new FileStoreOptions { Durability = StoreDurability.GroupSync, Committer = committer });
        using var reported = new SemaphoreSlim(0);
        var found = new List<(long Reported, long Found)>();
        store.Durable = (commit, _) =>
        {
            using var after = FileStore.Open(View(disk.PowerCut(random)));
            found.Add((commit, after.Messages));
            reported.Release();
        };

        for (var i = 1; i <= 30; i++)
        {
            store.Append("a"u8, default, "payload"u8, i, 0, out _);
            store.Commit();
            Assert.True(reported.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        }

        Assert.True(found.TrueForAll(static pair => pair.Found == pair.Reported), $"seed {seed}: {string.Join(' ', found)}");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void What_happens_during_a_rewrite_survives(int durabilityNumber)
    {
        var durability = (StoreDurability)durabilityNumber;
        var seed = Seed.Next();
        var random = new Random(seed);
        var finished = 0;
        for (var round = 0; round < 60; round++)
        {
            var options = new FileStoreOptions { Durability = durability, BlockBytes = 4096, Compress = random.Next(3) == 0 };
            var disk = new SimulatedDisk();
            var store = FileStore.Open(View(disk), options);
            var reference = new ReferenceStore { IsFile = true };
            var rewrite = new SteppedRewrite(store);
            void Remove(ulong sequence, bool erase)
                => Assert.Equal(reference.Remove(sequence), (erase ? store.Erase(sequence) : store.Remove(sequence)) == StoreStatus.Ok);

            for (var i = 0; i < 80; i++) Append(store, reference, random);
            for (ulong sequence = 1; sequence <= 40; sequence++)
            {
                if (random.Next(8) > 0) Remove(sequence, erase: false);
            }
            Assert.Equal(StoreStatus.Ok, store.Commit());
            for (var step = 0; step < 40; step++)
            {
                var committed = reference.Copy();
                if (random.Next(3) == 0) Append(store, reference, random);
                if (random.Next(3) == 0) Remove(1 + (ulong)random.Next(60), erase: random.Next(3) == 0);
                if (random.Next(2) == 0)
                {
                    Assert.Equal(StoreStatus.Ok, store.Commit());
                    committed = reference.Copy();
                    rewrite.Step();
                }

                // Killed here.
                if (random.Next(4) == 0) Reconcile(durability == StoreDurability.PageCache ? disk.Copy() : disk.PowerCut(random), committed, reference, options, $"seed {seed} round {round} step {step}");
                Assert.Equal(StoreStatus.Ok, store.Commit());
            }
            StoreComparison.AssertSame(reference, store, $"seed {seed} round {round}");
            finished += rewrite.Finished;
        }
        Assert.True(finished > 30, $"seed {seed}: {finished} rewrites");
    }

    [Fact]
    public void An_erased_message_is_in_no_copy_of_its_block()
    {
        var disk = new SimulatedDisk();
        using var store = FileStore.Open(View(disk), new FileStoreOptions { BlockBytes = 4096 });
        for (var i = 0; i < 40; i++) store.Append("a"u8, default, Encoding.ASCII.GetBytes($"secret-{i + 1:00}-" + new string('x', 200)), store.LastTimestamp + 1, 0, out _);
        var rewrite = new SteppedRewrite(store);
        ulong removed = 0;
        while (!rewrite.IsDue)
        {
            Assert.Equal(StoreStatus.Ok, store.Remove(++removed));
            Assert.Equal(StoreStatus.Ok, store.Commit());
        }
        rewrite.Step();
        rewrite.Step();
        var (erased, kept) = (removed + 1, removed + 2);

        Assert.Equal(StoreStatus.Ok, store.Erase(erased));
        rewrite.Run();

        Assert.Equal(2, rewrite.Finished);
        Assert.Equal(StoreStatus.NotFound, store.TryRead(erased, out _));
        Assert.Equal(StoreStatus.Ok, store.TryRead(kept, out _));
        Assert.DoesNotContain(disk.Files(), name => name.EndsWith(BlockNames.Temporary, StringComparison.Ordinal) || Contains(disk, name, $"secret-{erased:00}-"));
        Assert.Equal(ReferenceEquals(View(disk), disk), disk.Files().Any(name => Contains(disk, name, $"secret-{kept:00}-")));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void A_removal_outlives_the_block_that_says_so(int durabilityNumber)
    {
        var durability = (StoreDurability)durabilityNumber;
        var options = new FileStoreOptions { Durability = durability, BlockBytes = 4096 };
        var disk = new SimulatedDisk();
        var store = FileStore.Open(View(disk), options);
        var first = Fill(store);
        store.Remove(first.First + 1);
        var second = Fill(store);

        // The second block says what is gone from the first; it goes with its last message.
        for (var sequence = first.Last + 1; sequence <= second.Last; sequence++) store.Remove(sequence);
        Assert.Equal(StoreStatus.Ok, store.Commit());
        Assert.DoesNotContain(disk.Files(), name => name == BlockNames.Block(2));

        for (var cut = 0; cut < 20; cut++)
        {
            using var after = FileStore.Open(View(durability == StoreDurability.PageCache ? disk.Copy() : disk.PowerCut(new Random(cut))), options);
            Assert.Equal(StoreStatus.NotFound, after.TryRead(first.First + 1, out _));
            Assert.Equal(store.Messages, after.Messages);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(40)]
    [InlineData(64)]
    public void A_block_whose_header_a_power_cut_lost_gets_one(int length)
    {
        var options = new FileStoreOptions { Durability = StoreDurability.SyncEach };
        var disk = new SimulatedDisk();
        using (var file = disk.Create(BlockNames.Block(1)))
        {
            file.Write(0, new byte[length]);
            file.Sync();
        }

        disk.Sync();
        var store = FileStore.Open(View(disk), options);
        Assert.Equal(StoreStatus.Ok, store.Append("a"u8, default, "payload"u8, 1, 0, out _));
        Assert.Equal(StoreStatus.Ok, store.Commit());

        for (var cut = 0; cut < 20; cut++)
        {
            using var after = FileStore.Open(View(disk.PowerCut(new Random(cut))), options);
            Assert.Equal(StoreStatus.Ok, after.TryRead(1, out var message));
            Assert.Equal("payload"u8, message.Payload);
        }
    }

    [Fact]
    public void What_a_snapshot_names_is_on_the_disk_before_it()
    {
        var options = new FileStoreOptions { Durability = StoreDurability.PageCache, BlockBytes = 4096 };
        var disk = new SimulatedDisk();
        using var store = FileStore.Open(View(disk), options);
        Fill(store);
        Fill(store);

        Assert.True(store.TryWriteSnapshot());

        for (var cut = 0; cut < 20; cut++)
        {
            using var after = FileStore.Open(View(disk.PowerCut(new Random(cut))), options);
            Assert.Equal((store.LastSequence, store.Messages, true), (after.LastSequence, after.Messages, after.Recovery.FromSnapshot));
        }
    }

    [Fact]
    public void An_index_of_an_earlier_writing_is_not_believed()
    {
        var options = new FileStoreOptions { BlockBytes = 4096 };
        var disk = new SimulatedDisk();
        var store = FileStore.Open(View(disk), options);
        var first = Fill(store);
        Fill(store);
        var earlier = disk.Contents(BlockNames.Index(1));
        for (var sequence = first.First + 1; sequence < first.Last; sequence++) store.Remove(sequence);
        while (disk.Contents(BlockNames.Index(1)).AsSpan().SequenceEqual(earlier))
        {
            store.Append("a"u8, default, "later"u8, store.LastTimestamp + 1, 0, out _);
            Assert.Equal(StoreStatus.Ok, store.Commit());
        }

        var harmed = disk.Copy();
        harmed.Replace(BlockNames.Index(1), earlier);
        using var after = FileStore.Open(View(harmed), options);

        Assert.Equal(1, after.Recovery.IndexesRebuilt);
        Assert.Equal(store.Messages, after.Messages);
        Assert.Equal(StoreStatus.Ok, after.TryRead(first.Last, out var message));
        Assert.Equal(first.Last, message.Sequence);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_commit_of_nothing_is_as_safe_as_the_one_before(int durabilityNumber)
    {
        using var committer = new GroupCommitter();
        var disk = new SimulatedDisk();
        using var store = FileStore.Open(View(disk), new FileStoreOptions { Durability = (StoreDurability)durabilityNumber, Committer = committer });
        using var done = new ManualResetEventSlim((StoreDurability)durabilityNumber == StoreDurability.SyncEach);
        store.Durable = (_, _) => done.Set();
        store.Append("a"u8, default, "payload"u8, 1, 0, out _);
        store.Commit(out var first);
        Assert.True(done.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        var syncs = disk.Syncs;

        Assert.Equal(StoreStatus.Ok, store.Commit(out var second));

        Assert.Equal(first, second);
        Assert.Equal(second, store.DurableCommit);
        Assert.Equal(syncs, disk.Syncs);
    }

    [Fact]
    public void A_failed_group_flush_reports_the_fault_and_ends_writing()
    {
        using var committer = new GroupCommitter();
        var disk = new SimulatedDisk();
        using var store = FileStore.Open(View(disk), new FileStoreOptions { Durability = StoreDurability.GroupSync, Committer = committer });
        using var done = new ManualResetEventSlim();
        StoreFault? reported = null;
        store.Durable = (_, fault) =>
        {
            reported = fault;
            done.Set();
        };
        disk.FailSync = true;

        store.Append("a"u8, default, "payload"u8, 1, 0, out _);
        store.Commit();

        Assert.True(done.Wait(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal(StoreFaultKind.IoError, reported?.Kind);
        Assert.Equal(StoreStatus.ReadOnly, store.Commit());
        Assert.Equal(StoreStatus.Ok, store.TryRead(1, out _));
    }

    private static bool Contains(SimulatedDisk disk, string name, string text)
    {
        using var file = disk.Open(name, writable: false);
        var bytes = new byte[file.Length];
        file.Read(0, bytes);
        return bytes.AsSpan().IndexOf(Encoding.ASCII.GetBytes(text)) >= 0;
    }

    /// <summary>Appends until a block is full; returns the sequences that it did not have before.</summary>
    private static (ulong First, ulong Last) Fill(FileStore store)
    {
        var first = store.LastSequence + 1;
        for (var blocks = store.Blocks.Count; store.Blocks.Count == blocks;)
        {
            Assert.Equal(StoreStatus.Ok, store.Append("a"u8, default, new byte[200], store.LastTimestamp + 1, 0, out _));
            Assert.Equal(StoreStatus.Ok, store.Commit());
        }

        return (first, store.LastSequence - 1);
    }

    private static void Append(FileStore store, ReferenceStore reference, Random random)
    {
        var message = new ReferenceMessage($"k.{random.Next(6)}", [], new byte[random.Next(300)], store.LastTimestamp + 1, 0);
        Assert.Equal(StoreStatus.Ok, store.Append(Encoding.UTF8.GetBytes(message.Subject), default, message.Payload, message.Timestamp, 0, out _));
        reference.Append(message);
    }

    /// <summary>Random operations; returns the reference as it was at the last commit.</summary>
    private static ReferenceStore Work(FileStore store, ReferenceStore reference, Random random)
    {
        var committed = reference.Copy();
        var rewrite = random.Next(2) == 0 ? new SteppedRewrite(store) : null;
        for (var step = random.Next(60); step > 0; step--)
        {
            switch (random.Next(20))
            {
                case < 12:
                    Append(store, reference, random);
                    break;
                case < 15:
                    var sequence = reference.First + (ulong)random.Next(60);
                    Assert.Equal(reference.Remove(sequence), (random.Next(2) == 0 ? store.Remove(sequence) : store.Erase(sequence)) == StoreStatus.Ok);
                    break;
                case 15 when reference.Messages.Count > 60:
                    Assert.Equal(reference.PurgeBefore(reference.Last - 30), store.Retention.Purge(SubjectFilter.All, store.LastSequence - 30, 0));
                    break;
                default:
                    Assert.Equal(StoreStatus.Ok, store.Commit());
                    committed = reference.Copy();
                    rewrite?.Step();
                    break;
            }
        }

        return committed;
    }

    /// <summary>What is found must be the committed state, or that plus a beginning of what was under way.</summary>
    private ReferenceStore Reconcile(SimulatedDisk disk, ReferenceStore committed, ReferenceStore latest, FileStoreOptions options, string where)
    {
        using var found = FileStore.Open(View(disk.Copy()), options);
        foreach (var (sequence, message) in committed.Messages)
        {
            var present = found.TryRead(sequence, out var read) == StoreStatus.Ok;
            Assert.True(present || !latest.Messages.ContainsKey(sequence), $"{where}: {sequence} was acknowledged and is lost");
            Assert.True(!present || message.Payload.AsSpan().SequenceEqual(read.Payload), $"{where}: {sequence} has another payload");
        }

        var result = new ReferenceStore { IsFile = true, First = found.FirstSequence, Last = found.LastSequence };
        Assert.True(found.LastSequence >= committed.Last, $"{where}: last {found.LastSequence} < {committed.Last}");
        for (var sequence = found.FirstSequence; sequence <= found.LastSequence; sequence++)
        {
            if (found.TryRead(sequence, out var read) == StoreStatus.Ok)
            {
                Assert.True(sequence > committed.Last || committed.Messages.ContainsKey(sequence), $"{where}: {sequence} was removed and is back");
                result.Messages.Add(sequence, new ReferenceMessage(Encoding.UTF8.GetString(read.Subject), read.Headers.ToArray(), read.Payload.ToArray(), read.Timestamp, read.TimeToLiveSeconds));
            }
        }

        return result;
    }
}

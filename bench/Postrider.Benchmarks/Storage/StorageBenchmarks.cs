using System.Diagnostics;
using System.Globalization;
using System.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Subjects;

namespace Postrider.Benchmarks.Storage;

/// <summary>What a store does in a second, beside the floor: the same bytes written by RandomAccess and nothing else.</summary>
/// <remarks>Arguments: <c>storage [append|read|last|recovery|all] [messages]</c>. One line per row: name, operations a second,
/// nanoseconds and bytes allocated per operation; the best of three passes.</remarks>
internal static class StorageBenchmarks
{
    private const int Passes = 3;
    private const int RecordOverheadBytes = 40 + 10;

    public static int Run(string[] args)
    {
        var part = args.Length > 0 ? args[0] : "all";
        var messages = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 10_000_000;
        var root = Directory.CreateTempSubdirectory("postrider-bench-").FullName;
        try
        {
            if (part is "append" or "all")
            {
                Append(root);
            }

            if (part is "read" or "all")
            {
                Read(root);
            }

            if (part is "last" or "all")
            {
                Last(root);
            }

            if (part is "recovery" or "all")
            {
                Recovery(root, messages);
            }

            return 0;
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static void Append(string root)
    {
        foreach (var (size, batches) in new[] { (128, new[] { 1, 10, 100, 1000 }), (16 * 1024, [1, 16]) })
        {
            foreach (var batch in batches)
            {
                var count = size == 128 ? Math.Min(2_000_000, batch * 200_000) : 40_000;
                Best($"append {size} B, batches of {batch}: floor", count, () => Floor(root, size, batch, count));
                Best($"append {size} B, batches of {batch}: file", count, () => Fill(File(root), size, batch, count));
                Best($"append {size} B, batches of {batch}: memory", count, () => Fill(new MemoryStore(1), size, batch, count));
            }
        }
    }

    private static void Read(string root)
    {
        const int Count = 2_000_000;
        using var store = File(root);
        FillInto(store, 128, 1000, Count);
        store.Trim();
        Best("read in order 128 B: file", Count, () => Timed(() =>
        {
            for (ulong i = 1; i <= Count; i++)
            {
                Ensure(store.TryRead(i, out _));
            }
        }));
        var filter = new SubjectFilter("orders.*");
        Best("next that matches a wildcard: file", Count, () => Timed(() =>
        {
            for (ulong at = 1; store.Queries.TryFindNext(filter, at, out var found); at = found + 1)
            {
            }
        }));
        using var memory = new MemoryStore(1);
        FillInto(memory, 128, 1000, Count);
        Best("read in order 128 B: memory", Count, () => Timed(() =>
        {
            for (ulong i = 1; i <= Count; i++)
            {
                Ensure(memory.TryRead(i, out _));
            }
        }));
    }

    private static void Last(string root)
    {
        const int Subjects = 1_000_000;
        const int Gets = 200_000;
        using var store = File(root);
        var names = new byte[Subjects][];
        for (var i = 0; i < Subjects; i++)
        {
            names[i] = Encoding.UTF8.GetBytes($"$KV.bucket.key.{i:D7}");
            Ensure(store.Append(names[i], default, new byte[100], i, 0, out _));
            if (i % 1000 == 999)
            {
                Ensure(store.Commit());
            }
        }

        Console.WriteLine($"one million subjects of 22 bytes: {store.Subjects.Bytes / (double)Subjects:F1} bytes a subject");
        store.Trim();
        var random = new Random(1);
        var latencies = new double[Gets];
        Best("last by subject, one million subjects, at random: file", Gets, () => Timed(() =>
        {
            for (var i = 0; i < Gets; i++)
            {
                var from = Stopwatch.GetTimestamp();
                Ensure(store.Queries.TryReadLast(names[random.Next(Subjects)], out _));
                latencies[i] = Stopwatch.GetElapsedTime(from).TotalMicroseconds;
            }
        }));
        Array.Sort(latencies);
        Console.WriteLine($"  P50 {latencies[Gets / 2]:F1} us, P99 {latencies[Gets * 99 / 100]:F1} us, max {latencies[^1]:F0} us");
    }

    private static void Recovery(string root, int messages)
    {
        var folder = new DiskFolder(Path.Combine(root, "recovery"));
        var store = FileStore.Open(folder);
        FillInto(store, 128, 1000, messages);
        store.Dispose();
        Open(folder, messages, "snapshot");
        folder.Delete("state.snap");
        Open(folder, messages, "indexes only");
        foreach (var name in folder.Files().Where(n => n.EndsWith(".snap", StringComparison.Ordinal) || n.EndsWith(".idx", StringComparison.Ordinal)))
        {
            folder.Delete(name);
        }

        Open(folder, messages, "records only");
    }

    private static void Open(DiskFolder folder, int messages, string from)
    {
        GC.Collect();
        var start = Stopwatch.GetTimestamp();
        var store = FileStore.Open(folder);
        var elapsed = Stopwatch.GetElapsedTime(start);
        if (store.Messages != messages)
        {
            throw new InvalidOperationException($"{store.Messages} of {messages} recovered");
        }

        Console.WriteLine($"recovery of {messages:N0} messages, {from}: {elapsed.TotalMilliseconds:F1} ms, resident {Environment.WorkingSet >> 20} MiB, indexes {store.Options.Memory.UsedBytes >> 20} MiB");
        store.Dispose();
    }

    private static FileStore File(string root) => FileStore.Open(new DiskFolder(Path.Combine(root, Path.GetRandomFileName())));

    private static TimeSpan Fill(MessageStore store, int size, int batch, int count)
    {
        using (store)
        {
            return Timed(() => FillInto(store, size, batch, count));
        }
    }

    private static void FillInto(MessageStore store, int size, int batch, int count)
    {
        var payload = new byte[size];
        var subject = "orders.new"u8;
        for (var i = 0; i < count; i++)
        {
            Ensure(store.Append(subject, default, payload, i, 0, out _));
            if ((i + 1) % batch == 0)
            {
                Ensure(store.Commit());
            }
        }

        Ensure(store.Commit());
    }

    private static TimeSpan Floor(string root, int size, int batch, int count)
    {
        using var file = System.IO.File.OpenHandle(Path.Combine(root, Path.GetRandomFileName()), FileMode.Create, FileAccess.ReadWrite);
        var record = new byte[size];
        var buffer = new byte[batch * (size + RecordOverheadBytes)];
        return Timed(() =>
        {
            long at = 0;
            for (var i = 0; i < count; i += batch)
            {
                for (var j = 0; j < batch; j++)
                {
                    record.CopyTo(buffer.AsSpan(j * (size + RecordOverheadBytes)));
                }

                RandomAccess.Write(file, buffer, at);
                at += buffer.Length;
            }
        });
    }

    private static TimeSpan Timed(Action action)
    {
        var start = Stopwatch.GetTimestamp();
        action();
        return Stopwatch.GetElapsedTime(start);
    }

    private static void Best(string name, int operations, Func<TimeSpan> pass)
    {
        var best = TimeSpan.MaxValue;
        long allocated = 0;
        for (var i = 0; i < Passes; i++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            var elapsed = pass();
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            best = elapsed < best ? elapsed : best;
        }

        Console.WriteLine($"{name,-60} {operations / best.TotalSeconds / 1e6,8:F2} M/s {best.TotalNanoseconds / operations,9:F0} ns {(double)allocated / operations,8:F1} B");
    }

    private static void Ensure(StoreStatus status)
    {
        if (status != StoreStatus.Ok)
        {
            throw new InvalidOperationException($"The store says {status}.");
        }
    }
}

using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Postrider.Memory;

namespace Postrider.Benchmarks.Copies;

/// <summary>Copies of 1 to 256 KiB beside <see cref="ReadOnlySpan{T}.CopyTo"/>: from a receive buffer into chunks that change.</summary>
/// <remarks>
/// Aliased: the target begins 1 to 63 bytes behind the source's place in a page. Both ways take turns, the best of several passes
/// counts, and the ratio is the result: the machine may be busy. Pieces of 2 KiB, which the runtime copies without a call, are
/// what <c>Postrider.MessagePack</c> and <c>Postrider.Xml</c> do with an aliased target.
/// </remarks>
internal static class CopyBenchmarks
{
    private const int Passes = 7;
    private const int PageBytes = 4096;
    private const int SourceBytes = 72 * 1024;

    private static readonly int[] Sizes = [1024, 2048, 4096, 8192, 16_384, 65_536, 262_144];
    private static readonly int[] AliasedShifts = [1, 7, 31, 48, 63];
    private static readonly int[] OtherShifts = [0, 64, 96, 1995, 4064, 4095];

    private delegate void Way(ReadOnlySpan<byte> source, Span<byte> target);

    public static int Run()
    {
        foreach (var targetBytes in new[] { 292 * 1024, 4 * 1024 * 1024 })
        {
            Console.WriteLine($"chunks of {targetBytes / 1024} KiB in all; ns a copy (CopyTo = 1.00)");
            foreach (var size in Sizes.Where(size => size * 2 < targetBytes))
            {
                Measure(size, targetBytes, "aliased", AliasedShifts);
                Measure(size, targetBytes, "other", OtherShifts);
            }
        }
        return 0;
    }

    private static void Measure(int size, int targetBytes, string name, int[] shifts)
    {
        Way[] ways = [static (source, target) => source.CopyTo(target), BulkCopy.Copy, CopyPieces];
        var sums = new double[ways.Length];
        foreach (var shift in shifts)
        {
            var best = new double[ways.Length];
            Array.Fill(best, double.MaxValue);
            for (var pass = 0; pass < Passes; pass++)
                for (var way = 0; way < ways.Length; way++) best[way] = Math.Min(best[way], Time(ways[way], size, targetBytes, shift));
            for (var way = 0; way < ways.Length; way++) sums[way] += best[way] / shifts.Length;
        }
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  {size,7} B {name,-8} CopyTo {sums[0],7:0}  BulkCopy {sums[1],7:0} ({sums[0] / sums[1]:0.00}x)  pieces {sums[2],7:0} ({sums[0] / sums[2]:0.00}x)"));
    }

    private static unsafe double Time(Way way, int size, int targetBytes, int shift)
    {
        var sourceBytes = Math.Max(SourceBytes, size + PageBytes);
        var source = (byte*)NativeMemory.AlignedAlloc((nuint)sourceBytes, PageBytes);
        var target = (byte*)NativeMemory.AlignedAlloc((nuint)targetBytes, PageBytes);
        new Span<byte>(source, sourceBytes).Fill(1);
        new Span<byte>(target, targetBytes).Fill(2);
        var copies = Math.Max(60, 2_000_000 / size);
        var (from, to) = (0, 0);
        var step = (size + PageBytes - 1) & ~(PageBytes - 1);
        long began = 0;
        for (var i = -copies / 10; i < copies; i++)
        {
            if (i == 0) began = Stopwatch.GetTimestamp();
            if (from + size > sourceBytes) from = 0;
            if (to + size + PageBytes > targetBytes) to = 0;
            way(new ReadOnlySpan<byte>(source + from, size), new Span<byte>(target + to + shift, size));
            from += step;
            to += step;
        }
        var nanoseconds = Stopwatch.GetElapsedTime(began).TotalNanoseconds / copies;
        NativeMemory.AlignedFree(source);
        NativeMemory.AlignedFree(target);
        return nanoseconds;
    }

    private static void CopyPieces(ReadOnlySpan<byte> source, Span<byte> target)
    {
        for (; source.Length > BulkCopy.RuntimeBytes; source = source[BulkCopy.RuntimeBytes..], target = target[BulkCopy.RuntimeBytes..])
            source[..BulkCopy.RuntimeBytes].CopyTo(target);
        source.CopyTo(target);
    }
}

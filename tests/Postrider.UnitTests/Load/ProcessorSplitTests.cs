using System.Diagnostics;
using System.Globalization;
using System.Numerics;
using Postrider.Load;
using Postrider.Load.Native;

namespace Postrider.UnitTests.Load;

public sealed class ProcessorSplitTests
{
    [Fact]
    public void Halves_are_disjoint_and_the_caller_stays_in_the_first()
    {
        var (all, first, second, afterwards) = OnOwnThread(static () =>
        {
            var all = Allowed();
            if (BitOperations.PopCount(all) < 2)
            {
                Assert.Contains("two processors", Assert.Throws<LoadException>(static () => new ProcessorSplit()).Message);
                return (all, all, 0UL, all);
            }

            var split = new ProcessorSplit();
            split.UseFirst();
            var first = Allowed();
            var second = split.StartOnSecond(Allowed);
            return (all, first, second, Allowed());
        });

        Assert.Equal(0UL, first & second);
        Assert.Equal(all, first | second);
        Assert.NotEqual(0UL, first);
        Assert.Equal(first, afterwards);
    }

    [Fact]
    public void Process_is_on_the_half_on_which_it_was_started()
    {
        var (own, started) = OnOwnThread(static () =>
        {
            if (BitOperations.PopCount(Allowed()) < 2) return (Allowed(), Allowed());
            var split = new ProcessorSplit();
            using var process = split.StartOnSecond(static () => Process.Start(new ProcessStartInfo("cat", ["/proc/self/status"]) { RedirectStandardOutput = true })!);
            return (split.StartOnSecond(Allowed), Allowed(process.StandardOutput.ReadToEnd().Split('\n')));
        });

        Assert.Equal(own, started);
    }

    [Fact]
    public void Program_that_is_started_again_has_the_same_halves()
    {
        var (first, again, second, secondAgain) = OnOwnThread(static () =>
        {
            if (BitOperations.PopCount(Allowed()) < 2) return (0UL, 0UL, 0UL, 0UL);
            var split = new ProcessorSplit();
            split.UseFirst();
            // As after a start: only the first half is allowed.
            var read = new ProcessorSplit(split.ToString());
            var (first, second) = (Allowed(), split.StartOnSecond(Allowed));
            read.UseFirst();
            return (first, Allowed(), second, read.StartOnSecond(Allowed));
        });

        Assert.Equal((first, second), (again, secondAgain));
    }

    [Theory]
    [InlineData("", "no set of processors")]
    [InlineData("x", "no set of processors")]
    [InlineData("0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3", "no set of processors")]
    [InlineData("1", "two processors")]
    public void Other_texts_are_refused(string all, string problem)
        => Assert.Contains(problem, Assert.Throws<LoadException>(() => new ProcessorSplit(all)).Message, StringComparison.Ordinal);

    private static T OnOwnThread<T>(Func<T> run)
    {
        T? result = default;
        Exception? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                result = run();
            }
            catch (Exception error)
            {
                failure = error;
            }
        });
        thread.Start();
        thread.Join();
        return failure is null ? result! : throw new InvalidOperationException("The thread failed.", failure);
    }

    private static ulong Allowed() => Allowed(File.ReadLines("/proc/thread-self/status"));

    // The first 64 processors.
    private static ulong Allowed(IEnumerable<string> status)
    {
        var line = status.Single(static line => line.StartsWith("Cpus_allowed:", StringComparison.Ordinal));
        var words = line["Cpus_allowed:".Length..].Trim().Split(',');
        return words.TakeLast(2).Aggregate(0UL, static (mask, word) => (mask << 32) | uint.Parse(word, NumberStyles.HexNumber, CultureInfo.InvariantCulture));
    }
}

namespace Postrider.UnitTests;

/// <summary>Reads inputs that chance made: each is read or refused, in bounded memory.</summary>
/// <remarks><c>POSTRIDER_SEED</c> repeats a run, <c>POSTRIDER_INPUTS</c> asks for more or fewer inputs.</remarks>
internal sealed class RandomRun(ITestOutputHelper output, int inputs)
{
    private readonly int _inputs = Environment.GetEnvironmentVariable("POSTRIDER_INPUTS") is { } asked ? int.Parse(asked) : inputs;

    /// <summary>What reading an input may allocate for each of its bytes.</summary>
    public required int MostBytesPerInputByte { get; init; }

    /// <summary>What reading an input may allocate besides: the exception with its text.</summary>
    public required int MostBytesBesides { get; init; }

    /// <summary>Of so many inputs at least one is read and one refused; otherwise they say nothing.</summary>
    public int EachOf { get; init; } = 100;

    /// <summary>Makes the inputs one after the other and has each read.</summary>
    /// <param name="next">Makes an input by chance; gives its length in bytes and what reads it, which says false when it is refused.</param>
    public void Read(Func<Random, int, (int Length, Func<bool> TryRead)> next)
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        var (read, refused, worst) = (0, 0, 0L);

        for (var i = 0; i < _inputs; i++)
        {
            var (length, tryRead) = next(random, i);
            var isGood = false;
            var bound = (length * MostBytesPerInputByte) + MostBytesBesides;

            var allocated = Allocations.OfOne(() => isGood = tryRead(), bound);

            worst = Math.Max(worst, allocated);
            Assert.True(allocated <= bound, $"seed {seed}, input {i}: {allocated} bytes for {length}");
            if (isGood)
                read++;
            else
                refused++;
        }

        output.WriteLine($"{read} read, {refused} refused, at most {worst} bytes allocated");
        Assert.True(read > _inputs / EachOf && refused > _inputs / EachOf, $"seed {seed}: {read} read, {refused} refused: the inputs say nothing");
    }
}

using System.Diagnostics;

namespace Postrider.Benchmarks.Turns;

/// <summary>One operation after the other.</summary>
/// <param name="subject">Who.</param>
/// <param name="run">One operation.</param>
internal sealed class SingleTurn(string subject, Func<ValueTask> run) : Turn(subject)
{
    // A sample is at least this long, so that reading the clock does not show: short operations are timed several at a time.
    private const double LeastSampleMicroseconds = 5;

    private const int MostSamples = 5_000;

    private readonly double[] _samples = new double[MostSamples];
    private int _batch = 1;

    internal override async ValueTask WarmUpAsync(TimeSpan time)
    {
        var watch = Stopwatch.StartNew();
        var count = 0;
        while (watch.Elapsed < time || count < 3)
        {
            await run();
            count++;
        }

        var microseconds = watch.Elapsed.TotalMicroseconds / count;
        _batch = microseconds >= LeastSampleMicroseconds ? 1 : (int)Math.Ceiling(LeastSampleMicroseconds * 4 / microseconds);
    }

    internal override async ValueTask<TurnRound> RoundAsync(TimeSpan time)
    {
        var count = 0;
        var began = Stopwatch.GetTimestamp();
        var before = HeapUse.Now();
        while (count < 5 || (count < MostSamples && Stopwatch.GetElapsedTime(began) < time))
        {
            var start = Stopwatch.GetTimestamp();
            for (var i = 0; i < _batch; i++)
                await run();
            _samples[count++] = Stopwatch.GetElapsedTime(start).TotalMicroseconds / _batch;
        }

        var use = before.Until(HeapUse.Now(), (long)count * _batch);
        Array.Sort(_samples, 0, count);
        return new(_samples[count / 2], _samples[(int)(count * 0.95)], _samples.Take(count).Average(), use);
    }
}

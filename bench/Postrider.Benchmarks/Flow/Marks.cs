namespace Postrider.Benchmarks.Flow;

/// <summary>Bodies without a result, and what shows that each was called for every item.</summary>
internal sealed class Marks
{
    private readonly int[] _done;

    public Marks(int items)
    {
        _done = new int[items];
        Source = [.. Enumerable.Range(0, items)];
    }

    public int[] Source { get; }

    public IEnumerable<int> Lazy()
    {
        for (var i = 0; i < Source.Length; i++)
            yield return i;
    }

    public ValueTask Put(int i, CancellationToken ct)
    {
        _done[i]++;
        return default;
    }

    public async ValueTask PutLaterAsync(int i, CancellationToken ct)
    {
        await Task.Delay(1, ct);
        _done[i]++;
    }

    /// <summary>Runs an operation whose bodies put marks.</summary>
    /// <returns>The marks: as many as items.</returns>
    public async ValueTask<long> CountAsync(Func<Task> run)
    {
        Array.Clear(_done);
        await run();
        return _done.Sum();
    }
}

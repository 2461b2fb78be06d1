namespace Postrider.Benchmarks.Flow;

/// <summary>A body that gives its item and fails every so many items so many times.</summary>
/// <param name="every">Items whose index is a multiple fail, but not the first; 0: none.</param>
/// <param name="times">How often each of them fails before it succeeds.</param>
internal sealed class Failing(int every = 0, int times = 0)
{
    private readonly int[] _failures = new int[ErrorRows.Items];

    public bool Fails => every != 0;

    public void Begin() => Array.Clear(_failures);

    /// <summary>The sum of the values there are in the end.</summary>
    /// <param name="whenLastFails">What is expected when the last item alone fails for good.</param>
    public long Expected(long whenLastFails)
        => times != int.MaxValue ? ErrorRows.Sum : every == ErrorRows.Items - 1 ? whenLastFails : ErrorRows.Source.Where(i => !IsFailing(i)).Sum();

    public ValueTask<int> CallAsync(int i, CancellationToken ct)
        => IsFailing(i) && _failures[i]++ < times ? throw new InvalidOperationException() : ValueTask.FromResult(i);

    private bool IsFailing(int i) => every != 0 && i != 0 && i % every == 0;
}

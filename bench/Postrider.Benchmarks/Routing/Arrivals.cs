using System.Threading.Tasks.Sources;

namespace Postrider.Benchmarks.Routing;

/// <summary>Waits until so many messages have been handled, the same way for every subject and without allocating.</summary>
public sealed class Arrivals : IValueTaskSource
{
    private static readonly Arrivals s_all = new();

    private ManualResetValueTaskSourceCore<bool> _source = new() { RunContinuationsAsynchronously = true };
    private int _left;

    private Arrivals()
    {
    }

    /// <summary>Begins to count.</summary>
    /// <param name="count">How many messages will be sent.</param>
    /// <returns>Completes when the last one was handled.</returns>
    public static ValueTask Expect(int count)
    {
        s_all._source.Reset();
        Volatile.Write(ref s_all._left, count);
        return new(s_all, s_all._source.Version);
    }

    /// <summary>Called by every handler of every subject.</summary>
    public static void Hit()
    {
        if (Interlocked.Decrement(ref s_all._left) == 0)
            s_all._source.SetResult(true);
    }

    /// <inheritdoc/>
    public void GetResult(short token) => _source.GetResult(token);

    /// <inheritdoc/>
    public ValueTaskSourceStatus GetStatus(short token) => _source.GetStatus(token);

    /// <inheritdoc/>
    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _source.OnCompleted(continuation, state, token, flags);
}

namespace Postrider.Resilience;

/// <summary>Calls, failures and slow calls of a sliding window.</summary>
/// <remarks>
/// Ten buckets. Successes are only added to a counter; when they are read, they are spread evenly over the time since
/// the last read, so that a success costs no clock read. <see cref="AddSuccesses"/> may be called by any thread,
/// everything else under the owner's lock.
/// </remarks>
internal sealed class CallWindow(TimeSpan window, TimeProvider time)
{
    private const int Buckets = 10;

    private readonly long _bucketTicks = Math.Max(1, (long)(window.TotalSeconds * time.TimestampFrequency / Buckets));
    private readonly double[] _calls = new double[Buckets];
    private readonly double[] _failures = new double[Buckets];
    private readonly double[] _slow = new double[Buckets];
    private long _bucket = time.GetTimestamp() / Math.Max(1, (long)(window.TotalSeconds * time.TimestampFrequency / Buckets));
    private long _unspread;

    /// <summary>Counts successes whose time is not relevant.</summary>
    public void AddSuccesses(int calls) => Interlocked.Add(ref _unspread, calls);

    /// <summary>Counts one success now.</summary>
    public void AddSuccess(bool slow)
    {
        var at = Roll();
        _calls[at]++;
        if (slow)
            _slow[at]++;
    }

    /// <summary>Counts one failure now.</summary>
    public void AddFailure(bool slow)
    {
        var at = Roll();
        _calls[at]++;
        _failures[at]++;
        if (slow)
            _slow[at]++;
    }

    /// <summary>The sums over the window.</summary>
    public (double Calls, double Failures, double Slow) Read()
    {
        Roll();
        double calls = 0, failures = 0, slow = 0;
        for (var i = 0; i < Buckets; i++)
        {
            calls += _calls[i];
            failures += _failures[i];
            slow += _slow[i];
        }
        return (calls, failures, slow);
    }

    /// <summary>Clears all counts.</summary>
    public void Clear()
    {
        Array.Clear(_calls);
        Array.Clear(_failures);
        Array.Clear(_slow);
        Interlocked.Exchange(ref _unspread, 0);
        _bucket = time.GetTimestamp() / _bucketTicks;
    }

    private int Roll()
    {
        var now = time.GetTimestamp() / _bucketTicks;
        var passed = now - _bucket;
        for (var i = 1; i <= Math.Min(passed, Buckets); i++)
        {
            var old = (int)((_bucket + i) % Buckets);
            _calls[old] = _failures[old] = _slow[old] = 0;
        }
        _bucket = now;
        var successes = Interlocked.Exchange(ref _unspread, 0);
        if (successes != 0)
        {
            // Of passed + 1 buckets only the last ten are still in the window.
            var share = (double)successes / (passed + 1);
            for (var i = 0; i <= Math.Min(passed, Buckets - 1); i++)
                _calls[(int)((now - i) % Buckets)] += share;
        }
        return (int)(now % Buckets);
    }
}

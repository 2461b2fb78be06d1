namespace Postrider.Resilience;

/// <summary>The number of items that may be in flight; it can be changed while operators run.</summary>
/// <remarks>
/// One object may serve several operators: each compares its own in-flight count with <see cref="Value"/>; to share one limit use
/// <see cref="Bulkhead"/>. A lower value takes effect as items finish, a higher one at once. Thread-safe.
/// A limit converted from a number is fixed and costs its operators no subscription.
/// </remarks>
public class ConcurrencyLimit
{
    private readonly bool _isFixed;
    private int _value;

    /// <summary>Creates a limit that can be changed.</summary>
    /// <param name="value">Items in flight, at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="value"/> is below 1.</exception>
    public ConcurrencyLimit(int value)
        : this(value, isFixed: false)
    {
    }

    private ConcurrencyLimit(int value, bool isFixed)
    {
        ThrowIfBelowOne(value);
        _value = value;
        _isFixed = isFixed;
    }

    /// <summary>Raised after the limit has grown, on the thread that changed it: more work may start. Handlers must not block.</summary>
    public event Action? Raised;

    /// <summary>The number of items that may be in flight now; at least 1.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The new value is below 1.</exception>
    /// <exception cref="InvalidOperationException">The limit was converted from a number and is fixed.</exception>
    public int Value
    {
        get => Volatile.Read(ref _value);
        set
        {
            if (_isFixed)
                throw new InvalidOperationException("This limit was converted from a number and is fixed; create a ConcurrencyLimit to change it while operators run.");
            ThrowIfBelowOne(value);
            Change(value);
        }
    }

    /// <summary>True for a limit converted from a number: it never changes, and <see cref="Raised"/> is never raised.</summary>
    public bool IsFixed => _isFixed;

    /// <summary>A fixed limit from a number.</summary>
    /// <param name="value">Items in flight, at least 1.</param>
    public static implicit operator ConcurrencyLimit(int value) => new(value, isFixed: true);

    /// <summary>A fixed limit from a number; the same as the conversion.</summary>
    /// <param name="value">Items in flight, at least 1.</param>
    public static ConcurrencyLimit FromInt32(int value) => value;

    /// <summary>The limit's value, for logs.</summary>
    public override string ToString() => Value.ToString();

    internal void Change(int value)
    {
        var before = Interlocked.Exchange(ref _value, value);
        if (value <= before)
            return;
        Raised?.Invoke();
    }

    private static void ThrowIfBelowOne(int value)
    {
        if (value < 1)
            throw new ArgumentOutOfRangeException(nameof(value), value, $"A concurrency limit of {value} is below 1; use FlowControl.Pause to hold work back.");
    }
}

namespace Postrider.Flow.Gates;

/// <summary>How many items may be in flight, as a number that can be changed while operators run.</summary>
/// <remarks>
/// One object may serve several operators: each compares its own in-flight count with <see cref="Value"/>; to share
/// one total use <see cref="Bulkhead"/>. Lowering takes effect as items finish, raising at once. Thread-safe.
/// A limit made from a number by conversion is fixed and costs its operators no subscription.
/// </remarks>
public class ConcurrencyLimit
{
    private readonly Lock _gate = new();   // guards _listeners
    private readonly bool _isFixed;
    private ILimitListener[] _listeners = [];
    private int _value;

    /// <summary>Makes a limit that can be changed.</summary>
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

    /// <summary>The number of items that may be in flight now; at least 1.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The new value is below 1.</exception>
    /// <exception cref="InvalidOperationException">The limit was made from a number and is fixed.</exception>
    public int Value
    {
        get => Volatile.Read(ref _value);
        set
        {
            if (_isFixed)
                throw new InvalidOperationException("This limit was made from a number and is fixed; pass a new ConcurrencyLimit to change it while operators run.");
            ThrowIfBelowOne(value);
            Change(value);
        }
    }

    internal bool IsFixed => _isFixed;

    /// <summary>A fixed limit from a number.</summary>
    /// <param name="value">Items in flight, at least 1.</param>
    public static implicit operator ConcurrencyLimit(int value) => new(value, isFixed: true);

    /// <summary>A fixed limit from a number; the same as the conversion.</summary>
    /// <param name="value">Items in flight, at least 1.</param>
    public static ConcurrencyLimit FromInt32(int value) => value;

    /// <summary>The limit's value, for logs.</summary>
    public override string ToString() => Value.ToString();

    internal void Subscribe(ILimitListener listener)
    {
        lock (_gate)
            _listeners = [.. _listeners, listener];
    }

    internal void Unsubscribe(ILimitListener listener)
    {
        lock (_gate)
        {
            var at = Array.IndexOf(_listeners, listener);
            if (at >= 0)
                _listeners = _listeners.Length == 1 ? [] : [.. _listeners[..at], .. _listeners[(at + 1)..]];
        }
    }

    internal void Change(int value)
    {
        var before = Interlocked.Exchange(ref _value, value);
        if (value <= before)
            return;
        foreach (var listener in Volatile.Read(ref _listeners))
            listener.LimitRaised();
    }

    private static void ThrowIfBelowOne(int value)
    {
        if (value < 1)
            throw new ArgumentOutOfRangeException(nameof(value), value, $"A concurrency limit of {value} is below 1; to hold work back use FlowControl.Pause.");
    }
}

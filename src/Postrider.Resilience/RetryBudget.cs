namespace Postrider.Resilience;

/// <summary>Limits the share of calls that may be retries, over all operators and calls that use the object.</summary>
/// <remarks>
/// Every first attempt deposits <see cref="Ratio"/> of a token, every retry takes one; with no token left failures
/// are final, so that an outage does not cause a storm of retries. Thread-safe, without a clock.
/// Source: the retry budget of Finagle and tower.
/// </remarks>
public sealed class RetryBudget
{
    // One token is 1000 units, so that a ratio of 0.1 stays a whole number under Interlocked.
    private const int Unit = 1000;

    private readonly int _deposit;
    private readonly int _capacity;
    private int _balance;

    /// <summary>Creates a budget.</summary>
    /// <param name="ratio">Retries granted per first attempt, from 0 to 1 in steps of a thousandth; 0.1 allows a tenth of the calls to
    /// be retries.</param>
    /// <param name="reserve">Retries that are granted before any deposit, and the maximum that can be saved up.</param>
    public RetryBudget(double ratio = 0.1, int reserve = 10)
    {
        if (ratio is not (>= 0 and <= 1))
            throw new ArgumentOutOfRangeException(nameof(ratio), ratio, $"A retry ratio of {ratio} is not between 0 and 1.");
        if (reserve is < 0 or > int.MaxValue / (2 * Unit))
            throw new ArgumentOutOfRangeException(nameof(reserve), reserve, $"A reserve of {reserve} retries is not between 0 and {int.MaxValue / (2 * Unit)}.");
        Ratio = ratio;
        _deposit = (int)Math.Round(ratio * Unit);
        _capacity = reserve * Unit;
        _balance = _capacity;
    }

    /// <summary>Retries granted per first attempt.</summary>
    public double Ratio { get; }

    /// <summary>Number of whole retries that could be taken now.</summary>
    public int Available => Volatile.Read(ref _balance) / Unit;

    /// <summary>Counts first attempts.</summary>
    /// <param name="calls">How many; at least 0.</param>
    public void Deposit(int calls = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(calls);
        var balance = Volatile.Read(ref _balance);
        // A full budget needs no write: this is the state of a healthy service.
        while (balance < _capacity)
        {
            var next = (int)Math.Min(_capacity, balance + (long)_deposit * calls);
            var seen = Interlocked.CompareExchange(ref _balance, next, balance);
            if (seen == balance)
                return;
            balance = seen;
        }
    }

    /// <summary>Takes one retry from the budget.</summary>
    /// <returns>False when it is used up: the failure is then final.</returns>
    public bool TryTake()
    {
        var balance = Volatile.Read(ref _balance);
        while (balance >= Unit)
        {
            var seen = Interlocked.CompareExchange(ref _balance, balance - Unit, balance);
            if (seen == balance)
                return true;
            balance = seen;
        }
        return false;
    }
}

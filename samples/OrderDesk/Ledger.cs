namespace Postrider.Samples.OrderDesk;

/// <summary>Numbers the orders.</summary>
public sealed class Ledger
{
    private int _count;

    public int Count => Volatile.Read(ref _count);

    public int Take() => Interlocked.Increment(ref _count);
}

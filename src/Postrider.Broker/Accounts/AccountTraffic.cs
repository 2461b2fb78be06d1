namespace Postrider.Broker.Accounts;

/// <summary>Sums over an account's closed connections.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class AccountTraffic
{
    // Guards the sums; nothing else is locked while it is held.
    private readonly Lock _gate = new();
    private AccountCounters _sums;

    /// <summary>The sums now.</summary>
    public AccountCounters Read()
    {
        lock (_gate) return _sums;
    }

    /// <summary>Adds the counters of one connection.</summary>
    public void Add(AccountCounters connection)
    {
        lock (_gate) _sums += connection;
    }
}

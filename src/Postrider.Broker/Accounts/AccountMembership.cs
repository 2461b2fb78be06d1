namespace Postrider.Broker.Accounts;

/// <summary>Counts one connection in exactly one account: the one that it belongs to.</summary>
/// <remarks>Thread-safe: a connection may end on another thread while it moves to another account.</remarks>
/// <param name="first">The account that the connection begins in.</param>
/// <param name="countsAtOnce">Whether it is counted there before it has authenticated; never where that account has a limit.</param>
internal sealed class AccountMembership(Account first, bool countsAtOnce)
{
    private static readonly Account None = new("");

    private Account? _account;

    /// <summary>Starts counting.</summary>
    public void Begin()
    {
        var begun = countsAtOnce && first.Definition.MaxConnections < 0 && first.TryEnter() ? first : None;
        Volatile.Write(ref _account, begun);
    }

    /// <summary>Moves the connection to an account.</summary>
    /// <returns>False when that account has reached its maximum number of connections, or when the connection has ended.</returns>
    public bool TryMove(Account account)
    {
        if (ReferenceEquals(Volatile.Read(ref _account), account)) return true;
        if (!account.TryEnter()) return false;
        while (Volatile.Read(ref _account) is { } before)
        {
            if (Interlocked.CompareExchange(ref _account, account, before) != before) continue;
            if (!ReferenceEquals(before, None)) before.Leave();
            return true;
        }
        account.Leave();
        return false;
    }

    /// <summary>Stops counting.</summary>
    public void End()
    {
        if (Interlocked.Exchange(ref _account, null) is { } account && !ReferenceEquals(account, None)) account.Leave();
    }
}

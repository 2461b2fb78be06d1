namespace Postrider.Broker.Accounts;

/// <summary>Counts one connection among the connections of the account that it belongs to, and of no other.</summary>
/// <remarks>Thread-safe: a connection may end on another thread while it goes over to another account.</remarks>
/// <param name="first">The account that the connection begins in.</param>
/// <param name="countsAtOnce">Whether it counts there although it has not authenticated; never where that account has a limit.</param>
internal sealed class AccountMembership(Account first, bool countsAtOnce)
{
    private static readonly Account None = new("");

    private Account? _account;

    /// <summary>Begins to count.</summary>
    public void Begin()
    {
        var begun = countsAtOnce && first.Definition.MaxConnections < 0 && first.TryEnter() ? first : None;
        Volatile.Write(ref _account, begun);
    }

    /// <summary>Goes over to an account.</summary>
    /// <returns>False when it has as many connections as it may have, or when the connection has ended.</returns>
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

    /// <summary>Counts no more.</summary>
    public void End()
    {
        if (Interlocked.Exchange(ref _account, null) is { } account && !ReferenceEquals(account, None)) account.Leave();
    }
}

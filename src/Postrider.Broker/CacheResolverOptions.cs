namespace Postrider.Broker;

/// <summary>A folder holds the tokens of the accounts that were used last; others are looked up in the system account,
/// on <c>$SYS.REQ.ACCOUNT.ACCOUNTKEY.CLAIMS.LOOKUP</c>.</summary>
public sealed record CacheResolverOptions : AccountResolverOptions
{
    /// <summary>The folder; it is created. No other broker may use it.</summary>
    public required string Directory { get; init; }

    /// <summary>The largest number of accounts; beyond it the least recently used one is removed. 0 for 1,000.</summary>
    public long Limit { get; init; }

    /// <summary>How long a token is kept after its last use; zero keeps it until it expires.</summary>
    public TimeSpan TimeToLive { get; init; }

    /// <summary>How long to wait for an answer to a look-up. Default 1.9 s.</summary>
    public TimeSpan Timeout { get; init; } = DefaultTimeout;

    /// <inheritdoc/>
    internal override string Kind => "CACHE";
}

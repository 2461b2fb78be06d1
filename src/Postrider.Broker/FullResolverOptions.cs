namespace Postrider.Broker;

/// <summary>A folder holds the tokens of all accounts, <c>ACCOUNTKEY.jwt</c>; users of the system account push, list and delete them.</summary>
public sealed record FullResolverOptions : AccountResolverOptions
{
    /// <summary>The folder; it is created. No other broker may use it.</summary>
    public required string Directory { get; init; }

    /// <summary>Whether accounts may be deleted by a request signed by the operator. Default false.</summary>
    public bool AllowDelete { get; init; }

    /// <summary>With <see cref="AllowDelete"/>: whether the file of a deleted account is removed instead of renamed. Default false.</summary>
    public bool HardDelete { get; init; }

    /// <summary>The largest number of accounts; 0 for no limit.</summary>
    public long Limit { get; init; }

    /// <summary>How often brokers of a cluster compare their tokens; zero for one minute. It has no effect on a single broker.</summary>
    public TimeSpan Interval { get; init; }

    /// <summary>How long to wait for an answer to the look-up of an account that is not in the folder. Default 1.9 s.</summary>
    public TimeSpan Timeout { get; init; } = DefaultTimeout;

    /// <inheritdoc/>
    internal override string Kind => "FULL";
}

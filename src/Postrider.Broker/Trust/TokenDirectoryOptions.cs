namespace Postrider.Broker.Trust;

/// <summary>The options of a folder of tokens.</summary>
/// <param name="Path">The folder.</param>
/// <param name="Limit">Maximum number of accounts.</param>
/// <param name="Evicts">Whether the least recently used account is removed when there are too many; else no more are added.</param>
/// <param name="TimeToLive">How long an account is kept after its last use; zero keeps it until its token expires.</param>
/// <param name="Delete">Whether and how accounts are deleted.</param>
internal sealed record TokenDirectoryOptions(string Path, long Limit, bool Evicts, TimeSpan TimeToLive, DeleteMode Delete)
{
    private const long DefaultCacheLimit = 1000;

    /// <summary>Reads the options of a resolver with a folder of all accounts.</summary>
    public static TokenDirectoryOptions Of(FullResolverOptions options) => new(
        options.Directory,
        options.Limit == 0 ? long.MaxValue : options.Limit,
        Evicts: false,
        TimeSpan.Zero,
        options switch { { AllowDelete: false } => DeleteMode.Refuse, { HardDelete: true } => DeleteMode.Remove, _ => DeleteMode.Rename });

    /// <summary>Reads the options of a resolver with a folder of some accounts.</summary>
    public static TokenDirectoryOptions Of(CacheResolverOptions options)
        => new(options.Directory, options.Limit == 0 ? DefaultCacheLimit : options.Limit, Evicts: true, options.TimeToLive, DeleteMode.Remove);
}

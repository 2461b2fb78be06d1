namespace Postrider.Broker;

/// <summary>Where a broker in operator mode looks up the tokens of accounts.</summary>
/// <remarks>One of <see cref="MemoryResolverOptions"/>, <see cref="FullResolverOptions"/>, <see cref="CacheResolverOptions"/> and
/// <see cref="UrlResolverOptions"/>. Immutable.</remarks>
public abstract record AccountResolverOptions
{
    /// <summary>How long a look-up elsewhere may take, unless options say otherwise.</summary>
    internal static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(1.9);

    private protected AccountResolverOptions()
    {
    }

    /// <summary>The resolver's kind in nats-server's configuration.</summary>
    internal abstract string Kind { get; }
}

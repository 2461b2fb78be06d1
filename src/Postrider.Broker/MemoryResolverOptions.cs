namespace Postrider.Broker;

/// <summary>The only accounts are those of <see cref="OperatorModeOptions.PreloadedAccounts"/>.</summary>
public sealed record MemoryResolverOptions : AccountResolverOptions
{
    /// <inheritdoc/>
    internal override string Kind => "MEMORY";
}

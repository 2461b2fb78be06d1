namespace Postrider.Broker;

/// <summary>Accounts are those of <see cref="OperatorModeOptions.PreloadedAccounts"/> and no others.</summary>
public sealed record MemoryResolverOptions : AccountResolverOptions
{
    /// <inheritdoc/>
    internal override string Kind => "MEMORY";
}

namespace Postrider.Client.JetStream.Models;

/// <summary>JetStream usage of an account.</summary>
public sealed record AccountInfo : AccountTier
{
    /// <summary>The domain, or null.</summary>
    public string? Domain { get; init; }

    /// <summary>Requests to the API.</summary>
    public ApiStatistics Api { get; init; } = new();

    /// <summary>Usage by tier, such as <c>R3</c>, for accounts whose limits depend on the number of replicas.</summary>
    public IReadOnlyDictionary<string, AccountTier>? Tiers { get; init; }
}

namespace Postrider.Client.JetStream.Models;

/// <summary>What an account uses of JetStream.</summary>
public sealed record AccountInfo : AccountTier
{
    /// <summary>The domain, or null.</summary>
    public string? Domain { get; init; }

    /// <summary>Requests to the API.</summary>
    public ApiStatistics Api { get; init; } = new();

    /// <summary>Use by tier, such as <c>R3</c>, for accounts with limits by replica.</summary>
    public IReadOnlyDictionary<string, AccountTier>? Tiers { get; init; }
}

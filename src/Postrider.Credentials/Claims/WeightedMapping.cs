namespace Postrider.Credentials;

/// <summary>One destination of a mapped subject.</summary>
/// <param name="Subject">The destination, with <c>$1</c> and so on for wildcards.</param>
/// <param name="Weight">The share of messages in percent; 0 for 100.</param>
/// <param name="Cluster">The cluster that it applies to; null for all.</param>
public sealed record WeightedMapping(string Subject, int Weight = 0, string? Cluster = null);

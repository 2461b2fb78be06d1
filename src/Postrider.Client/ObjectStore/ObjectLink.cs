namespace Postrider.Client.ObjectStore;

/// <summary>The target of a link.</summary>
/// <param name="Bucket">The bucket.</param>
/// <param name="Name">The object; null for the bucket itself.</param>
public sealed record ObjectLink(string Bucket, string? Name = null);

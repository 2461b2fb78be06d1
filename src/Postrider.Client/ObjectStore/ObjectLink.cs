namespace Postrider.Client.ObjectStore;

/// <summary>Where a link leads.</summary>
/// <param name="Bucket">The bucket.</param>
/// <param name="Name">The object; null for the bucket itself.</param>
public sealed record ObjectLink(string Bucket, string? Name = null);

namespace Postrider.Transport.Aws;

/// <summary>A resource of the service that does not match a binding.</summary>
/// <param name="Kind"><c>queue</c>, <c>redrive policy</c>, <c>topic</c>, <c>subscription</c>, <c>event bus</c>, <c>rule</c>, <c>target</c> or
/// <c>permission</c>.</param>
/// <param name="Name">Its name.</param>
/// <param name="Difference">How it differs; null if it does not exist and would be created.</param>
public sealed record AwsTopologyChange(string Kind, string Name, string? Difference);

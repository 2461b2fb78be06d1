namespace Postrider.Transport.RabbitMq;

/// <summary>An object on the server that does not match a binding.</summary>
/// <param name="Kind"><c>exchange</c> or <c>queue</c>.</param>
/// <param name="Name">Its name.</param>
/// <param name="Difference">The server's description of the difference; null if it does not exist and would be declared.</param>
public sealed record RabbitMqTopologyChange(string Kind, string Name, string? Difference);

namespace Postrider.Transport.Kafka;

/// <summary>A topic on the servers that does not match a binding.</summary>
/// <param name="Topic">Its name.</param>
/// <param name="Difference">The difference; null if it does not exist and would be created.</param>
public sealed record KafkaTopologyChange(string Topic, string? Difference);

namespace Postrider.TransportTests.Harness;

/// <summary>One RabbitMQ for the whole run.</summary>
public sealed class RabbitMqServer : RabbitMqProcess, IAsyncLifetime;

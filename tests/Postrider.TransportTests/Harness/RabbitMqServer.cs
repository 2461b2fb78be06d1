namespace Postrider.TransportTests.Harness;

/// <summary>RabbitMQ 3.10, for all tests of the assembly.</summary>
public sealed class RabbitMqServer : RabbitMqProcess, IAsyncLifetime;

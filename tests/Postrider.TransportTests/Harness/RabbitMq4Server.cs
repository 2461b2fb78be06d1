namespace Postrider.TransportTests.Harness;

/// <summary>RabbitMQ 4.3, for all tests of the assembly.</summary>
public sealed class RabbitMq4Server() : RabbitMqProcess("rabbitmq4"), IAsyncLifetime;

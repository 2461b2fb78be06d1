namespace Postrider.TransportTests.Harness;

/// <summary>RabbitMQ 4.3 over a socket that tests can cut.</summary>
public sealed class RabbitMq4Harness(RabbitMq4Server server) : RabbitMqHarness(server)
{
    // Returned messages are no attempts there.
    public override int MaxCountedReturns => 0;
}

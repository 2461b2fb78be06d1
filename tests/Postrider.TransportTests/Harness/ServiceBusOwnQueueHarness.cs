namespace Postrider.TransportTests.Harness;

/// <summary>The same, and dead letters stay in the dead-letter queue of their source.</summary>
public sealed class ServiceBusOwnQueueHarness : ServiceBusHarness
{
    public override bool SharesDeadLetters => false;

    public override ValueTask<string> CreateDeadLetterAsync(string destination) => new($"{destination}/$deadletterqueue");
}

using Postrider.Transport.Aws;

namespace Postrider.TransportTests.Harness;

/// <summary>Event buses, each with one rule and the queue that it sends to.</summary>
public sealed class EventBridgeHarness(MotoServer server) : AwsFanOutHarness(server, "events/")
{
    protected override SqsBinding BindingOf(SqsBinding queue, string name) => queue with { Events = [new EventBridgeRule(name)] };

    protected override async ValueTask DeleteSourceAsync(string name)
        => await CallAsync("events", "application/x-amz-json-1.1", "AWSEvents.DeleteEventBus", $"{{\"Name\":\"{name}\"}}");
}

using Postrider.Transport.Aws;
using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

/// <summary>Event buses, each with one rule and the queue that it sends to.</summary>
public sealed class EventBridgeHarness(MotoServer server) : AwsHarness(server, AwsQueueType.Standard)
{
    private const string Prefix = "events/";

    public override bool Delays => false;

    public override string NewDestination() => Prefix + NewName();

    public override AtLeastOnceBinding Binding(string source) => source.StartsWith(Prefix, StringComparison.Ordinal) ? (SqsBinding)base.Binding(Name(source)) with { Events = [new EventBridgeRule(Name(source))] } : base.Binding(source);

    public override async ValueTask<string> CreateDeadLetterAsync(string destination)
    {
        var queue = NewName();
        await CreateAsync(queue);
        return queue;
    }

    public override async ValueTask DeleteAsync(string name)
    {
        await CallAsync("events", "application/x-amz-json-1.1", "AWSEvents.DeleteEventBus", $"{{\"Name\":\"{Name(name)}\"}}");
        await base.DeleteAsync(Name(name));
    }

    private static string Name(string destination) => destination[Prefix.Length..];
}

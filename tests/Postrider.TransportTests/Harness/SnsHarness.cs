using Postrider.Transport.Aws;
using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

/// <summary>Topics, each with one queue that is subscribed.</summary>
public sealed class SnsHarness(MotoServer server) : AwsHarness(server, AwsQueueType.Standard)
{
    public override bool Delays => false;

    public override string NewDestination() => $"sns/{NewName()}";

    public override AtLeastOnceBinding Binding(string source) => (SqsBinding)base.Binding(Name(source)) with { Topics = [Name(source)] };

    public override async ValueTask DeleteAsync(string name)
    {
        await CallAsync("sns", SnsApi.Form, null, $"Action=DeleteTopic&Version=2010-03-31&TopicArn={Uri.EscapeDataString($"arn:aws:sns:{MotoServer.Region}:123456789012:{Name(name)}")}");
        await base.DeleteAsync(Name(name));
    }

    private static string Name(string destination) => destination["sns/".Length..];
}

using Postrider.Transport.Aws;
using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

/// <summary>Topics, each with one queue that is subscribed.</summary>
public sealed class SnsHarness(MotoServer server) : AwsHarness(server, AwsQueueType.Standard)
{
    private const string Prefix = "sns/";

    public override bool Delays => false;

    public override string NewDestination() => Prefix + NewName();

    public override AtLeastOnceBinding Binding(string source) => source.StartsWith(Prefix, StringComparison.Ordinal) ? (SqsBinding)base.Binding(Name(source)) with { Topics = [Name(source)] } : base.Binding(source);

    public override async ValueTask<string> CreateDeadLetterAsync(string destination)
    {
        var queue = NewName();
        await CreateAsync(queue);
        return queue;
    }

    public override async ValueTask DeleteAsync(string name)
    {
        await CallAsync("sns", SnsApi.Form, null, $"Action=DeleteTopic&Version=2010-03-31&TopicArn={Uri.EscapeDataString($"arn:aws:sns:{MotoServer.Region}:123456789012:{Name(name)}")}");
        await base.DeleteAsync(Name(name));
    }

    private static string Name(string destination) => destination[Prefix.Length..];
}

using Postrider.Transport.Aws;

namespace Postrider.TransportTests.Harness;

/// <summary>Topics, each with one queue that is subscribed.</summary>
public sealed class SnsHarness(MotoServer server) : AwsFanOutHarness(server, "sns/")
{
    protected override SqsBinding BindingOf(SqsBinding queue, string name) => queue with { Topics = [name] };

    protected override async ValueTask DeleteSourceAsync(string name)
        => await CallAsync("sns", SnsApi.Form, null, $"Action=DeleteTopic&Version=2010-03-31&TopicArn={Uri.EscapeDataString($"arn:aws:sns:{MotoServer.Region}:123456789012:{name}")}");
}

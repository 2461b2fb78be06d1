using Postrider.Transport.Aws;
using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

/// <summary>What is sent to and never received from: each has one queue that it sends to, with its name without the prefix.</summary>
public abstract class AwsFanOutHarness(MotoServer server, string prefix) : AwsHarness(server, AwsQueueType.Standard)
{
    public override bool Delays => false;

    public override string NewDestination() => prefix + NewName();

    public override AtLeastOnceBinding Binding(string source)
        => source.StartsWith(prefix, StringComparison.Ordinal) ? BindingOf((SqsBinding)base.Binding(Name(source)), Name(source)) : base.Binding(source);

    /// <summary>Dead letters go to a queue.</summary>
    public override async ValueTask<string> CreateDeadLetterAsync(string destination)
    {
        var queue = NewName();
        await CreateAsync(queue);
        return queue;
    }

    public override async ValueTask DeleteAsync(string name)
    {
        await DeleteSourceAsync(Name(name));
        await base.DeleteAsync(Name(name));
    }

    /// <summary>The binding of the queue, which declares that it is sent to.</summary>
    protected abstract SqsBinding BindingOf(SqsBinding queue, string name);

    protected abstract ValueTask DeleteSourceAsync(string name);

    private string Name(string destination) => destination[prefix.Length..];
}

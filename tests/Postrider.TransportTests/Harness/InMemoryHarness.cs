using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

public sealed class InMemoryHarness : TransportHarness
{
    private readonly InMemoryTransport _transport = new();

    public override ITransport Transport => _transport;

    public override int MaxCountedReturns => 0;

    public override bool HasConnection => false;

    public override ValueTask InitializeAsync() => default;

    public override ValueTask DisposeAsync() => _transport.DisposeAsync();

    public override ValueTask<ITransport> OpenAsync() => new(new InMemoryTransport());

    public override ValueTask CreateAsync(string name) => default;

    public override ValueTask DeleteAsync(string name) => default;

    public override AtLeastOnceBinding Binding(string source) => new(source) { Retry = Quick };

    public override ValueTask<(string Destination, AtLeastOnceBinding First, AtLeastOnceBinding Second)> TwoGroupsAsync()
    {
        var name = NewName();
        return new((name, Binding(name) with { Group = "first" }, Binding(name) with { Group = "second" }));
    }

    public override void Cut()
    {
    }
}

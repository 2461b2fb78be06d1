using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

public sealed class InMemoryTransportTests : RequestTransportContract
{
    private readonly InMemoryTransport _transport = new();

    protected override ITransport Sender => _transport;

    public override ValueTask InitializeAsync() => default;

    public override ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return _transport.DisposeAsync();
    }
}

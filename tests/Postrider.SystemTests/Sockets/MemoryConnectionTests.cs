using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class MemoryConnectionTests : ConnectionFaultContract
{
    private readonly Queue<Connection> _accepted = new();
    private MemoryConnector _connector = null!;

    public override ValueTask InitializeAsync()
    {
        _connector = new MemoryConnector(Batches, _accepted.Enqueue);
        return ValueTask.CompletedTask;
    }

    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;

    [Fact]
    public async Task Cancelled_dial_throws()
        => await Assert.ThrowsAsync<OperationCanceledException>(async () => await _connector.ConnectAsync("", 1, new CancellationToken(true)));

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectAsync()
    {
        var dialled = await _connector.ConnectAsync("", 1, CancellationToken.None);
        return (dialled, _accepted.Dequeue());
    }
}

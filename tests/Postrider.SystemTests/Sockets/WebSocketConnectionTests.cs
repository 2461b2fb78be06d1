using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class WebSocketOverEpollTests() : WebSocketEngineContract(EngineKind.Epoll);

[Collection(nameof(ConnectionContract))]
public sealed class WebSocketOverSocketsTests() : WebSocketEngineContract(EngineKind.Sockets);

[Collection(nameof(ConnectionContract))]
public sealed class WebSocketInMemoryTests : WebSocketContract
{
    private readonly Queue<Connection> _accepted = new();
    private MemoryConnector _connector = null!;

    public override ValueTask InitializeAsync()
    {
        _connector = new MemoryConnector(Batches, _accepted.Enqueue);
        return ValueTask.CompletedTask;
    }

    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectBelowAsync()
    {
        var dialled = await _connector.ConnectAsync("", 1, CancellationToken.None);
        return (dialled, _accepted.Dequeue());
    }
}

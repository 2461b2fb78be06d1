using System.Net;
using System.Net.Sockets;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class EpollConnectionTests() : EngineContract(EngineKind.Epoll)
{
    [Fact]
    public async Task Side_that_ended_is_known_to_have_before_what_it_sent_is_read()
    {
        using var engine = ConnectionEngine.Create(new SendBatchSet(), loops: 1, EngineKind.Epoll);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var client = new TcpClient();
        await client.ConnectAsync((IPEndPoint)listener.LocalEndpoint, TestContext.Current.CancellationToken);
        // Sent and ended before anybody reads: the close is in the socket's queue behind the bytes.
        client.Client.Send(new byte[10_000]);
        client.Client.Shutdown(SocketShutdown.Send);

        var connection = engine.Attach(await listener.AcceptSocketAsync(TestContext.Current.CancellationToken));
        var witness = new Witness(connection);
        var knewBefore = connection.HasPeerHungUp;
        connection.Start(witness);
        await witness.Closed.WaitAsync(Patience, TestContext.Current.CancellationToken);

        Assert.False(knewBefore);
        Assert.True(witness.KnewAtFirst);
    }

    private sealed class Witness(Connection connection) : IReceiver
    {
        private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public bool? KnewAtFirst { get; private set; }

        public Task Closed => _closed.Task;

        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            KnewAtFirst ??= connection.HasPeerHungUp;
            return input.Length;
        }

        void IReceiver.Closed(CloseReason reason, Exception? error) => _closed.TrySetResult();
    }
}

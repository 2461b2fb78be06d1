using System.Net;
using System.Net.Sockets;
using Postrider.Rpc;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;

namespace Postrider.SystemTests.Rpc;

/// <summary>Code that blocks where a transport's events are handled keeps nothing from going on that it may wait for.</summary>
public sealed class InlineHandlingTests
{
    private const uint Readable = 1;
    private const uint Writable = 4;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task What_follows_a_send_may_wait_for_what_is_received_at_the_same_time()
    {
        using var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        using var transport = await EpollFrameTransport.ConnectAsync(listener.LocalEndPoint!, CancellationToken.None);
        using var far = await listener.AcceptAsync().WaitAsync(Patience);
        using var received = new ManualResetEventSlim();
        var sent = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        transport.OnReceived = received.Set;
        transport.OnSent = () => sent.TrySetResult(received.Wait(Patience));
        Assert.True(transport.Receive(new byte[10], 0, 10));
        var bytes = new byte[1 << 20];
        long taken = 0;
        while (!transport.Send(bytes, 0, bytes.Length))
            taken += transport.Sent;

        var ready = transport.OnEvents(Readable | Writable);
        for (long read = 0; read < taken;)
            read += await far.ReceiveAsync(bytes).WaitAsync(Patience);
        await far.SendAsync(new byte[1]).WaitAsync(Patience);
        var handling = Task.Run(() => transport.Handle(ready));

        Assert.Equal(ReadyEvents.Receive | ReadyEvents.Send, ready);
        Assert.True(await sent.Task.WaitAsync(Patience * 2));
        await handling.WaitAsync(Patience);
    }

    [Fact]
    public async Task Who_welcomes_a_connection_does_not_wait_for_the_calls_that_came_with_it()
    {
        using var gate = new ManualResetEventSlim();
        var began = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var stage = StageContract.Serve(new Stage(scene =>
        {
            began.SetResult();
            gate.Wait(Patience);
            return scene;
        }));
        await using var host = new ConnectionServer([new RpcMessagePackCodec(DeskMessages.Default)], [stage], new SocketServerOptions());
        using var transport = new EagerFrameTransport(RawPeer.Hello(), [.. RawPeer.Name(0, "stage/Play"), .. RawPeer.Request(1, 0, [1])]);
        try
        {
            _ = await Task.Run(() => host.Accept(transport)).WaitAsync(Patience / 2);
            await began.Task.WaitAsync(Patience);
        }
        finally
        {
            gate.Set();
        }
    }

    // What is there before anybody asks.
    private sealed class EagerFrameTransport(params byte[][] pieces) : FrameTransport
    {
        private int _next;

        public override string Peer => "eager";

        public override bool Receive(byte[] buffer, int offset, int count)
        {
            if (_next == pieces.Length)
                return true;
            var piece = pieces[_next++];
            piece.CopyTo(buffer.AsSpan(offset, count));
            Received = piece.Length;
            return false;
        }

        public override bool Send(byte[] buffer, int offset, int count)
        {
            Sent = count;
            return false;
        }

        public override void Dispose()
        {
        }
    }
}

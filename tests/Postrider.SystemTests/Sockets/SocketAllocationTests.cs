using System.Net;
using System.Net.Sockets;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>What a loop's thread allocates while it reads, handles and sends, measured on that thread.</summary>
[Collection(nameof(ConnectionContract))]
public sealed class SocketAllocationTests
{
    private const int WarmUp = 3_000;
    private const int Windows = 5;
    private const int Window = 2_000;
    private const int Measured = Windows * Window;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Reading_and_answering_on_a_loop_allocates_nothing()
    {
        var echo = new MeasuringEcho();
        using var engine = ConnectionEngine.Create(new SendBatchSet(), loops: 1, EngineKind.Epoll);
        await using var listener = Listener.Start(new IPEndPoint(IPAddress.Loopback, 0), engine, echo.Accept, static error => throw error);
        using var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await peer.ConnectAsync(listener.EndPoint);

        await Task.Run(() =>
        {
            var bytes = new byte[100];
            for (var i = 0; i < WarmUp + Measured + 1; i++)
            {
                peer.Send(bytes);
                for (var received = 0; received < bytes.Length;) received += peer.Receive(bytes);
            }
        }).WaitAsync(Patience);

        Assert.Equal(0, await echo.Allocated.WaitAsync(Patience));
    }

    [Fact]
    public async Task Receiving_in_the_client_allocates_nothing()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });
        await using var receiver = await NatsClient.ConnectAsync(broker.Url!);
        await using var sender = await NatsClient.ConnectAsync(broker.Url!);
        var meter = new ThreadMeter();
        await using var subscription = receiver.SubscribeRaw("measured", _ => meter.Count());
        await receiver.FlushAsync();

        var payload = new byte[128];
        for (var i = 0; i < WarmUp + Measured + 1; i++) await sender.PublishAsync("measured", payload);

        Assert.Equal(0, await meter.Allocated.WaitAsync(Patience));
    }

    [Fact]
    public async Task Meter_sees_what_is_allocated_between_two_calls()
    {
        var meter = new ThreadMeter();
        object? kept = null;

        for (var i = 0; i < WarmUp + Measured + 1; i++)
        {
            meter.Count();
            kept = new byte[8];
        }

        Assert.NotNull(kept);
        Assert.Equal(Window * 32, await meter.Allocated);
    }

    /// <summary>Counts calls on one thread and tells what the thread allocated in the best of a few windows after the warm-up:
    /// what the runtime does once is not the calls'.</summary>
    private sealed class ThreadMeter
    {
        private readonly TaskCompletionSource<long> _allocated = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _calls;
        private long _before;
        private long _least = long.MaxValue;

        public Task<long> Allocated => _allocated.Task;

        public void Count()
        {
            _calls++;
            if (_calls < WarmUp || (_calls - WarmUp) % Window != 0) return;
            var now = GC.GetAllocatedBytesForCurrentThread();
            if (_calls > WarmUp) _least = Math.Min(_least, now - _before);
            _before = now;
            if (_calls == WarmUp + Measured) _allocated.TrySetResult(_least);
        }
    }

    private sealed class MeasuringEcho : IReceiver
    {
        private readonly ThreadMeter _meter = new();
        private Connection _connection = null!;

        public Task<long> Allocated => _meter.Allocated;

        public void Accept(Connection connection)
        {
            _connection = connection;
            connection.Start(this);
        }

        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            _meter.Count();
            _connection.Outbox.LaneOf(batch).Write(input);
            neededBytes = 0;
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The connection is over; nothing hangs on it.
        }
    }
}

using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;

namespace Postrider.SystemTests.Rpc;

/// <summary>A transport of the reactor as a stream: what HttpClient and Kestrel speak over.</summary>
public sealed class FrameTransportStreamTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Bytes_arrive_as_they_were_sent_whatever_the_pieces()
    {
        var (near, far) = await PairAsync();
        await using var nearOwned = near;
        await using var farOwned = far;
        var sent = RandomNumberGenerator.GetBytes(8_000_000);
        var random = new Random(7);
        var writing = Task.Run(async () =>
        {
            for (var at = 0; at < sent.Length;)
            {
                var count = Math.Min(random.Next(1, 400_000), sent.Length - at);
                await near.WriteAsync(sent.AsMemory(at, count));
                at += count;
            }

            await near.DisposeAsync();
        });

        var received = new MemoryStream();
        await far.CopyToAsync(received).WaitAsync(Patience);

        await writing.WaitAsync(Patience);
        Assert.True(sent.AsSpan().SequenceEqual(received.ToArray()));
    }

    [Fact]
    public async Task Memory_that_is_no_array_is_read_and_written()
    {
        var (near, far) = await PairAsync();
        await using var nearOwned = near;
        await using var farOwned = far;
        var written = new HiddenArray(1000);
        var read = new HiddenArray(2000);
        new Random(3).NextBytes(written.Memory.Span);

        await near.WriteAsync(written.Memory);
        await far.ReadExactlyAsync(read.Memory[..1000]).AsTask().WaitAsync(Patience);

        Assert.True(written.Memory.Span.SequenceEqual(read.Memory.Span[..1000]));
    }

    [Fact]
    public async Task Read_that_is_cancelled_ends()
    {
        var (near, far) = await PairAsync();
        await using var nearOwned = near;
        await using var farOwned = far;
        using var giving = new CancellationTokenSource();
        var reading = far.ReadAsync(new byte[10], giving.Token).AsTask();

        await giving.CancelAsync();

        var failure = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.WaitAsync(Patience));
        Assert.Equal(giving.Token, failure.CancellationToken);
    }

    [Fact]
    public async Task Write_that_nobody_reads_waits_and_ends_with_the_stream()
    {
        var (near, far) = await PairAsync();
        await using var farOwned = far;
        var writing = near.WriteAsync(new byte[64_000_000]).AsTask();
        Assert.False(writing.IsCompleted);

        await near.DisposeAsync();

        await Assert.ThrowsAsync<IOException>(() => writing.WaitAsync(Patience));
    }

    [Fact]
    public async Task Read_under_way_ends_when_its_own_side_is_disposed()
    {
        var (near, far) = await PairAsync();
        await using var nearOwned = near;
        var reading = far.ReadAsync(new byte[10]).AsTask();

        await far.DisposeAsync();

        await Assert.ThrowsAsync<IOException>(() => reading.WaitAsync(Patience));
        await Assert.ThrowsAsync<IOException>(async () => await far.ReadExactlyAsync(new byte[10]));
        await Assert.ThrowsAsync<IOException>(async () => await far.WriteAsync(new byte[10]));
    }

    [Fact]
    public async Task End_of_the_other_side_is_the_end_of_the_stream()
    {
        var (near, far) = await PairAsync();
        await using var farOwned = far;
        await near.WriteAsync(new byte[] { 1, 2, 3 });
        await near.DisposeAsync();

        var buffer = new byte[10];
        Assert.Equal(3, await far.ReadAtLeastAsync(buffer, 4, throwOnEndOfStream: false).AsTask().WaitAsync(Patience));
        Assert.Equal(0, await far.ReadAsync(buffer).AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task Connection_of_HttpClient_that_nobody_holds_is_closed()
    {
        var (near, far) = await PairAsync();
        await using var farOwned = far;
        Forget(near);

        var reading = far.ReadAsync(new byte[10]).AsTask();
        var began = TimeProvider.System.GetTimestamp();
        while (!reading.IsCompleted && TimeProvider.System.GetElapsedTime(began) < Patience)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            await Task.Yield();
        }

        Assert.Equal(0, await reading.WaitAsync(Patience));
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Forget(FrameTransportStream stream) => Assert.True(new OwnedConnectionStream(stream).CanRead);

    private static async Task<(FrameTransportStream Near, FrameTransportStream Far)> PairAsync()
    {
        using var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var accepting = listener.AcceptAsync();
        var near = await EpollFrameTransport.ConnectAsync(listener.LocalEndPoint!, CancellationToken.None);
        return (new FrameTransportStream(near), new FrameTransportStream(new EpollFrameTransport(await accepting.WaitAsync(Patience))));
    }
}

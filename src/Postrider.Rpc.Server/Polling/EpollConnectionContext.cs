// Hot path: FrameTransportStream -> this -> Kestrel. Allocations: none for a request.
using System.IO.Pipelines;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Server.Polling;

/// <summary>A Kestrel connection over an epoll transport.</summary>
/// <remarks>Received bytes go into a pipe, whose reader runs inline after the next receive has been issued; written bytes go to the
/// socket with each flush. The connection reads ahead while a request is handled, so that a disconnect is noticed.</remarks>
internal sealed class EpollConnectionContext : DefaultConnectionContext, IDuplexPipe
{
    private const int SegmentBytes = 16 * 1024;

    // If a segment has less room, the next one is used.
    private const int MinBytes = 4 * 1024;

    // Used if more was available than the last segment could hold.
    private const int LargeSegmentBytes = 64 * 1024;

    // The amount that Kestrel's own sockets read ahead.
    private const int MaxAheadBytes = 1024 * 1024;

    private static readonly PipeOptions s_pipe = new(
        readerScheduler: InlinePipeScheduler.Instance, writerScheduler: PipeScheduler.Inline, useSynchronizationContext: false,
        pauseWriterThreshold: MaxAheadBytes, resumeWriterThreshold: MaxAheadBytes / 2, minimumSegmentSize: SegmentBytes);

    private readonly FrameTransportStream _stream;
    private readonly Pipe _received = new(s_pipe);
    private readonly CancellationTokenSource _closed = new();
    private Task _receiving = Task.CompletedTask;

    private EpollConnectionContext(Socket socket)
        : base(Guid.NewGuid().ToString("N"))
    {
        (LocalEndPoint, RemoteEndPoint) = (socket.LocalEndPoint, socket.RemoteEndPoint);
        var transport = new EpollFrameTransport(socket);
        _stream = new FrameTransportStream(transport);
        var continueReceiving = transport.OnReceived;
        transport.OnReceived = () => InlinePipeScheduler.Receive(continueReceiving);
        Output = new FrameTransportPipeWriter(_stream);
        ConnectionClosed = _closed.Token;
        Transport = this;
    }

    public PipeReader Input => _received.Reader;

    public PipeWriter Output { get; }

    /// <summary>Starts receiving.</summary>
    public static EpollConnectionContext Start(Socket socket)
    {
        var connection = new EpollConnectionContext(socket);
        connection._receiving = connection.ReceiveAsync();
        return connection;
    }

    public override void Abort(ConnectionAbortedException abortReason) => _stream.Dispose();

    public override async ValueTask DisposeAsync()
    {
        await _received.Reader.CompleteAsync().ConfigureAwait(false);
        await Output.CompleteAsync().ConfigureAwait(false);
        _received.Writer.CancelPendingFlush();
        await _stream.DisposeAsync().ConfigureAwait(false);
        await _receiving.ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
        _closed.Dispose();
    }

    private async Task ReceiveAsync()
    {
        Exception? broken = null;
        try
        {
            for (var isFull = false; ;)
            {
                var memory = _received.Writer.GetMemory(isFull ? LargeSegmentBytes : MinBytes);
                var reading = _stream.ReadAsync(memory);
                if (reading.IsCompleted)
                    InlinePipeScheduler.QueueToThreadPool();
                var count = await reading.ConfigureAwait(false);
                if (count == 0)
                    break;
                isFull = count == memory.Length;
                _received.Writer.Advance(count);
                var flushed = await _received.Writer.FlushAsync().ConfigureAwait(false);
                if (flushed.IsCompleted || flushed.IsCanceled)
                    break;
            }
        }
        catch (IOException failure)
        {
            broken = failure.InnerException is SocketException { SocketErrorCode: SocketError.ConnectionReset }
                ? new ConnectionResetException(failure.Message, failure)
                : new ConnectionAbortedException(failure.Message, failure);
        }

        await _received.Writer.CompleteAsync(broken).ConfigureAwait(false);

        // Callbacks run on the thread pool and are awaited: a source disposed before that runs none of them. An exception in one of them
        // must not end the process.
        await _closed.CancelAsync().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}

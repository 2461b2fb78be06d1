using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Postrider.Rpc.Framing;

/// <summary>A transport based on asynchronous reads and writes.</summary>
internal abstract class AsyncFrameTransport : FrameTransport
{
    private static readonly TimeSpan s_lastWords = TimeSpan.FromSeconds(1);

    private readonly Action _onRead;
    private readonly Action _onWritten;
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _reading;
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _writing;
    private int _count;
    private volatile TaskCompletionSource? _written;
    private int _isClosed;

    protected AsyncFrameTransport() => (_onRead, _onWritten) = (HasRead, HasWritten);

    /// <summary>Completes when the transport is disposed and closed gracefully.</summary>
    public Task Closed => _closed.Task;

    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept until its task is complete and read once.")]
    public override bool Receive(byte[] buffer, int offset, int count)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _isClosed) != 0, this);
        _reading = ReadAsync(buffer.AsMemory(offset, count)).ConfigureAwait(false).GetAwaiter();
        if (_reading.IsCompleted)
        {
            NoteRead();
            return false;
        }

        _reading.UnsafeOnCompleted(_onRead);
        return true;
    }

    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept until its task is complete and read once.")]
    public override bool Send(byte[] buffer, int offset, int count)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _isClosed) != 0, this);
        _count = count;
        _writing = WriteAsync(buffer.AsMemory(offset, count)).ConfigureAwait(false).GetAwaiter();
        if (_writing.IsCompleted)
        {
            NoteWritten();
            return false;
        }

        _written = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _writing.UnsafeOnCompleted(_onWritten);
        return true;
    }

    public sealed override void Dispose()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) == 0)
            _ = EndAsync();
    }

    /// <summary>Reads some bytes; returns 0 at the end.</summary>
    protected abstract ValueTask<int> ReadAsync(Memory<byte> buffer);

    /// <summary>Writes all bytes.</summary>
    protected abstract ValueTask WriteAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Closes the transport gracefully, as its protocol defines.</summary>
    protected abstract Task CloseAsync(CancellationToken ct);

    /// <summary>Closes the transport immediately.</summary>
    protected abstract void Abort();

    // Data that was already queued is sent before the end, if the peer accepts it soon.
    private async Task EndAsync()
    {
        using var limit = new CancellationTokenSource(s_lastWords);
        try
        {
            if (_written is { } written)
                await written.Task.WaitAsync(limit.Token).ConfigureAwait(false);
            await CloseAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The peer no longer reads, or it has already disconnected.
        }

        Abort();
        _closed.TrySetResult();
    }

    private void HasRead()
    {
        NoteRead();
        OnReceived();
    }

    private void HasWritten()
    {
        NoteWritten();
        OnSent();
    }

    private void NoteRead()
    {
        try
        {
            Received = _reading.GetResult();
        }
        catch (Exception failure)
        {
            (Received, ReceiveFailure) = (0, failure);
        }
    }

    private void NoteWritten()
    {
        try
        {
            _writing.GetResult();
            Sent = _count;
        }
        catch (Exception failure)
        {
            SendFailure = failure;
        }

        var written = _written;
        _written = null;
        written?.TrySetResult();
    }
}

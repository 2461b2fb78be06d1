using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>A call at the server.</summary>
[SuppressMessage("Design", "CA1001", Justification = "Clear disposes of both when the call ends; the call serves the next one then.")]
internal abstract class ServerCall : IThreadPoolWorkItem
{
    private CancellationTokenSource? _end;
    private ITimer? _timer;
    private volatile bool _isGivenUp;
    private bool _isForgotten;

    public uint Id { get; private set; }

    /// <summary>The number of bytes its message acquired from the connection's budget.</summary>
    public int CountedBytes { get; set; }

    /// <summary>Whether the timeout has cancelled the call.</summary>
    public bool IsLate => !_isGivenUp && _end is { IsCancellationRequested: true };

    /// <summary>Cancelled by the caller, by the timeout or by the end of the connection.</summary>
    protected CancellationToken Token => _end?.Token ?? CancellationToken.None;

    protected RpcServerConnection Connection { get; private set; } = null!;

    /// <summary>Marks the call as no longer counted by its connection; true once.</summary>
    public bool TryForget()
    {
        var isFirst = !_isForgotten;
        _isForgotten = true;
        return isFirst;
    }

    /// <summary>Runs the operation.</summary>
    public abstract void Execute();

    /// <summary>Handles a frame of the request stream.</summary>
    /// <exception cref="RpcException">The caller broke the protocol.</exception>
    public virtual void Receive(RpcFrameKind kind, in ReadOnlySequence<byte> body)
        => throw new RpcException(RpcStatus.ProtocolError, $"Unexpected frame kind {(byte)kind} for call {Id}, which has no stream.");

    /// <summary>Cancels the call for the caller.</summary>
    public virtual void Cancel()
    {
        _isGivenUp = true;
        try
        {
            Volatile.Read(ref _end)?.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The call has just ended.
        }
        catch (AggregateException failures)
        {
            // Exceptions of callbacks that the operation registered with its token.
            Connection.LogFailure(failures, "A callback of a call's token");
        }
    }

    protected void Set(RpcServerConnection connection, uint id, TimeSpan? timeout, bool needsToken)
    {
        (Connection, Id) = (connection, id);
        if (!needsToken)
            return;
        _end = new CancellationTokenSource();
        if (timeout is { } limit)
            _timer = connection.Options.TimeProvider.CreateTimer(static state => DeadlineTokenSource.Expire((CancellationTokenSource)state!), _end, limit, Timeout.InfiniteTimeSpan);
    }

    protected void Clear()
    {
        _timer?.Dispose();
        _end?.Dispose();
        (_timer, _end, CountedBytes, Connection, Id, _isGivenUp, _isForgotten) = (null, null, 0, null!, 0, false, false);
    }
}

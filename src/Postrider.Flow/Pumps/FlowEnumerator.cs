// Hot path: await foreach -> this -> StreamBuffer. Allocations: none per item.
using System.Threading.Tasks.Sources;

namespace Postrider.Flow.Pumps;

/// <summary>The reader of a stream. If no other thread pumps, it does so itself, on its own thread, until there is a result.</summary>
internal sealed class FlowEnumerator<TResult>(PumpState pump, StreamBuffer<TResult> buffer, CancellationTokenSource? linked)
    : IAsyncEnumerator<TResult>, IValueTaskSource<bool>
{
    private readonly int _roomStep = Math.Max(1, buffer.Window / 2);
    private TResult _current = default!;
    private int _taken;
    private bool _ended;
    private bool _disposed;

    public TResult Current => _current;

    public ValueTask<bool> MoveNextAsync()
    {
        if (!_disposed && buffer.TryTake(out _current))
        {
            if (++_taken == _roomStep)
                MakeRoom();
            return new ValueTask<bool>(true);
        }
        return MoveNextSlow();
    }

    public async ValueTask DisposeAsync()
    {
        if (_disposed)
            return;
        _disposed = true;
        Exception? late = null;
        if (!buffer.IsCompleted)
        {
            // A pump that has already stopped may be parked until the reader returns, which it never will.
            if (!pump.Stop(StopCause.Abandoned, exception: null))
                pump.Unpark(onThisThread: true);
            await buffer.WhenCompletedAsync().ConfigureAwait(false);
            // The hooks have seen the failed items; what is left is the source's failure to close.
            late = pump.Cause == StopCause.Abandoned ? buffer.Failure : null;
        }
        buffer.Release();
        pump.Unhold();
        linked?.Dispose();
        if (late is not null)
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(late);
    }

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        buffer.Wake.GetResult(token);
        return TryTakeOrEnd();
    }

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => buffer.Wake.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => buffer.Wake.OnCompleted(continuation, state, token, flags);

    private ValueTask<bool> MoveNextSlow()
    {
        while (!_ended && !_disposed)
        {
            if (buffer.IsCompleted)
            {
                try
                {
                    return new ValueTask<bool>(TryTakeOrEnd());
                }
                catch (Exception failure)
                {
                    return ValueTask.FromException<bool>(failure);
                }
            }
            if (PumpState.MayRunInline)
                pump.PumpForReader();
            else
                pump.Unpark(onThisThread: false);
            var horizon = buffer.Horizon;
            if (buffer.TryTake(out _current))
            {
                if (++_taken == _roomStep)
                    MakeRoom();
                return new ValueTask<bool>(true);
            }
            // The pump may have left only gaps, or may be parked for the room that gaps made when they were skipped here.
            if (!pump.IsParkedForReader && buffer.Horizon == horizon && buffer.TryArm(out var version))
                return new ValueTask<bool>(this, version);
        }
        return new ValueTask<bool>(false);
    }

    private bool TryTakeOrEnd()
    {
        if (buffer.TryTake(out _current))
        {
            if (++_taken == _roomStep)
                MakeRoom();
            return true;
        }
        _ended = true;
        if (buffer.Failure is { } failure)
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
        return false;
    }

    private void MakeRoom()
    {
        _taken = 0;
        // The head must be visible before the check of the pump, which parks before its last check of the head.
        Interlocked.MemoryBarrier();
        if (pump.IsParkedForRoom)
            pump.Unpark(onThisThread: false);
    }
}

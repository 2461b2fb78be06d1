// Hot path: EpollFrameTransport -> this -> EpollConnectionContext, Kestrel. Allocations: none.
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;

namespace Postrider.Rpc.Server.Polling;

/// <summary>Runs pipe-reader continuations on the receiving thread, after the next receive has been issued.</summary>
/// <remarks>Code that blocks until more data of the same connection arrives, for example the rest of a request, therefore does not
/// prevent its arrival. Other continuations, and those while more data is available, run on the thread pool.</remarks>
internal sealed class InlinePipeScheduler : PipeScheduler
{
    [ThreadStatic] private static bool t_isReceiving;
    [ThreadStatic] private static Action<object?>? t_next;
    [ThreadStatic] private static object? t_state;

    private InlinePipeScheduler()
    {
    }

    /// <summary>The only instance.</summary>
    public static InlinePipeScheduler Instance { get; } = new();

    /// <summary>Handles received data.</summary>
    /// <param name="continueReceiving">Passes it to the pipe and returns when the pipe waits for more; the reader continues then.</param>
    public static void Receive(Action continueReceiving)
    {
        t_isReceiving = true;
        continueReceiving();
        t_isReceiving = false;
        if (TryTake(out var next, out var state))
            next(state);
    }

    /// <summary>Moves the pending continuation to the thread pool, because more data is available.</summary>
    public static void QueueToThreadPool()
    {
        if (TryTake(out var next, out var state))
            System.Threading.ThreadPool.UnsafeQueueUserWorkItem(next, state, preferLocal: false);
    }

    public override void Schedule(Action<object?> action, object? state)
    {
        if (t_isReceiving && t_next is null)
            (t_next, t_state) = (action, state);
        else
            System.Threading.ThreadPool.UnsafeQueueUserWorkItem(action, state, preferLocal: false);
    }

    private static bool TryTake([NotNullWhen(true)] out Action<object?>? next, out object? state)
    {
        (next, state) = (t_next, t_state);
        (t_next, t_state) = (null, null);
        return next is not null;
    }
}

// Hot path: EpollFrameTransport -> this -> EpollConnectionContext, Kestrel. Allocations: none.
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;

namespace Postrider.Rpc.Server.Polling;

/// <summary>Has who reads of a pipe go on on the thread that received, but not before the next read was asked for.</summary>
/// <remarks>So code that blocks until more of the same connection arrives, the rest of a request for example, is not what keeps it
/// from arriving. Whoever is to go on for another reason, or while there is more to receive, goes on on the thread pool.</remarks>
internal sealed class InlinePipeScheduler : PipeScheduler
{
    [ThreadStatic] private static bool t_isReceiving;
    [ThreadStatic] private static Action<object?>? t_next;
    [ThreadStatic] private static object? t_state;

    private InlinePipeScheduler()
    {
    }

    /// <summary>The one there is.</summary>
    public static InlinePipeScheduler Instance { get; } = new();

    /// <summary>Something was received.</summary>
    /// <param name="continueReceiving">Gives it to the pipe and returns when more is waited for: who reads goes on then.</param>
    public static void Receive(Action continueReceiving)
    {
        t_isReceiving = true;
        continueReceiving();
        t_isReceiving = false;
        if (TryTake(out var next, out var state))
            next(state);
    }

    /// <summary>There is more to receive: who reads does not wait for it.</summary>
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

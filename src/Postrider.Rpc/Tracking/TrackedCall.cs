using Postrider.Rpc.Operations;

namespace Postrider.Rpc;

/// <summary>One call at one of its ends: which, since when, how it ended.</summary>
/// <remarks>Thread-safe.</remarks>
public sealed class TrackedCall
{
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _cancel;
    private long _items;
    private Ending? _ending;

    internal TrackedCall(Operation operation, CallSide side, string messageId, CallContext? context, TimeProvider time, CancellationToken ct)
    {
        (Operation, Side, MessageId) = (operation.Path, side, messageId);
        (Peer, User, Timeout) = (context?.Peer, context?.User?.Identity?.Name, context?.Timeout);
        (_time, Start, Began) = (time, time.GetTimestamp(), time.GetUtcNow());
        _cancel = CancellationTokenSource.CreateLinkedTokenSource(ct);
    }

    /// <summary>The call's name at both ends: the header <c>message-id</c>, which the caller's tracker gives where the caller gave none.</summary>
    public string MessageId { get; }

    /// <summary>What is called: <c>service/operation</c>.</summary>
    public string Operation { get; }

    /// <summary>Which end this is.</summary>
    public CallSide Side { get; }

    /// <summary>When it began here.</summary>
    public DateTimeOffset Began { get; }

    /// <summary>The time that the caller gave; null for the channel's own limit.</summary>
    public TimeSpan? Timeout { get; }

    /// <summary>At the server, where it came from in the transport's words; null otherwise.</summary>
    public string? Peer { get; }

    /// <summary>At the server, the name of who calls where the transport knows it; null otherwise.</summary>
    public string? User { get; }

    /// <summary>How many items of the stream back went by; 0 for a call that answers with one message.</summary>
    public long Items => Volatile.Read(ref _items);

    /// <summary>How it ended; null while it is under way.</summary>
    public RpcStatus? Status => Volatile.Read(ref _ending)?.Status;

    /// <summary>What was thrown; null for a call that is under way or succeeded.</summary>
    public Exception? Failure => Volatile.Read(ref _ending)?.Failure;

    /// <summary>How long it took, or has taken so far.</summary>
    public TimeSpan Duration => Volatile.Read(ref _ending)?.Duration ?? _time.GetElapsedTime(Start);

    /// <summary>When it began by the monotonic clock.</summary>
    internal long Start { get; }

    internal CancellationToken Token => _cancel.Token;

    /// <summary>Gives the call up: its token is cancelled, and the caller sees <see cref="RpcStatus.Cancelled"/>.</summary>
    /// <returns>False when it had ended.</returns>
    /// <remarks>At the server an operation that does not look at its token goes on.</remarks>
    public bool Cancel()
    {
        if (Status is not null)
            return false;
        try
        {
            // Callbacks run on the thread pool: what an operation's callback throws is not the failure of whoever cancels it.
            _ = _cancel.CancelAsync();
            return true;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    internal void CountItem() => Volatile.Write(ref _items, _items + 1);

    internal void End(Exception? failure)
    {
        Volatile.Write(ref _ending, new(CallOutcome.StatusFor(failure), failure, _time.GetElapsedTime(Start)));
        _cancel.Dispose();
    }

    private sealed record Ending(RpcStatus Status, Exception? Failure, TimeSpan Duration);
}

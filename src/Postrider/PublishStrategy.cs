namespace Postrider;

/// <summary>How the handlers of one notification are called.</summary>
public enum PublishStrategy
{
    /// <summary>One after the other; the first exception ends it.</summary>
    Sequential,

    /// <summary>One after the other, all of them; the exceptions come together in an <see cref="AggregateException"/>, or are
    /// one <see cref="OperationCanceledException"/> where the caller cancelled and nothing else failed.</summary>
    SequentialContinue,

    /// <summary>All started, then all awaited; the exceptions come together as with <see cref="SequentialContinue"/>.</summary>
    Parallel,

    /// <summary>
    /// Queued, and handled later by a worker in a scope of its own; publishing completes when the queue has taken the message
    /// and waits while it is full. Exceptions are logged. Stopping the host drains the queue.
    /// </summary>
    Background,
}

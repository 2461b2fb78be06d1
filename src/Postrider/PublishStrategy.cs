namespace Postrider;

/// <summary>How the handlers of one notification are called.</summary>
public enum PublishStrategy
{
    /// <summary>In sequence; the first exception ends the publish.</summary>
    Sequential,

    /// <summary>All in sequence; the exceptions are collected in an <see cref="AggregateException"/>, or are
    /// one <see cref="OperationCanceledException"/> where the caller cancelled and nothing else failed.</summary>
    SequentialContinue,

    /// <summary>All started, then all awaited; the exceptions are collected as with <see cref="SequentialContinue"/>.</summary>
    Parallel,

    /// <summary>
    /// Queued, and handled later by a worker in its own scope; publishing completes when the message is in the queue and waits while the
    /// queue is full. Exceptions are logged. Stopping the host drains the queue.
    /// </summary>
    Background,
}

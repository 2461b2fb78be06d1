using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Observes the messages of a container: accepted work until it completes, and each arriving message. Registered by the test
/// harness.</summary>
/// <remarks>Thread-safe.</remarks>
internal abstract class MessageObserver
{
    /// <summary>Records that work was accepted.</summary>
    /// <param name="what">Its description.</param>
    /// <returns>The work, for <see cref="Enter"/> and <see cref="End"/>.</returns>
    internal abstract object Begin(string what);

    /// <summary>Records that the calling asynchronous flow does the work.</summary>
    internal abstract void Enter(object work);

    /// <summary>Records that the work has completed or failed. Work that it caused has started before.</summary>
    internal abstract void End(object work);

    /// <summary>Adds a source of work that polls. Under a test harness it does not poll by the clock: it is called whenever a test waits until
    /// all work has completed.</summary>
    /// <param name="look">Has the source look for work; what it starts is observed work when the call returns.</param>
    internal abstract void AddPolling(Action look);

    /// <summary>The body of an envelope was read.</summary>
    internal abstract void OnRead(Envelope envelope, object message);

    /// <summary>The message of an envelope was handled.</summary>
    /// <param name="envelope">The envelope.</param>
    /// <param name="failure">The exception of the handler, or the reason why the body could not be read; null for neither.</param>
    internal abstract void OnHandled(Envelope envelope, Exception? failure);

    /// <summary>An in-memory transport settled a message.</summary>
    internal abstract void OnSettled(Envelope envelope, Settlement settlement, string? deadLetter);
}

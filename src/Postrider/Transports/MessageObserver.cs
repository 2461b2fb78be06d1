using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Observes the messages of a container: accepted work until it completes, and each arriving message. Registered by the test
/// harness.</summary>
/// <remarks>Thread-safe.</remarks>
internal abstract class MessageObserver
{
    /// <summary>Work was accepted and will be done.</summary>
    /// <param name="what">What it is, for people.</param>
    /// <returns>The work, for <see cref="Enter"/> and <see cref="End"/>.</returns>
    internal abstract object Begin(string what);

    /// <summary>The calling asynchronous flow does the work.</summary>
    internal abstract void Enter(object work);

    /// <summary>The work has completed or failed. Work that it caused has begun before.</summary>
    internal abstract void End(object work);

    /// <summary>The body of an envelope was read.</summary>
    internal abstract void OnRead(Envelope envelope, object message);

    /// <summary>The message of an envelope was handled.</summary>
    /// <param name="envelope">The envelope.</param>
    /// <param name="failure">What the handler threw, or why the body could not be read; null for neither.</param>
    internal abstract void OnHandled(Envelope envelope, Exception? failure);

    /// <summary>An in-memory transport settled a message.</summary>
    internal abstract void OnSettled(Envelope envelope, Settlement settlement, string? deadLetter);
}

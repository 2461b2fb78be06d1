namespace Postrider;

/// <summary>Everything between a message and its handler, composed once per message type; the untyped base class.</summary>
public abstract class Pipeline
{
    /// <summary>The type this pipeline handles.</summary>
    public abstract Type MessageType { get; }

    /// <summary>Runs the pipeline for a caller that does not know the types.</summary>
    /// <param name="message">A message of <see cref="MessageType"/> or of a type derived from it.</param>
    /// <param name="state">The caller's <see cref="CallOrigin"/>, or null for the root.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response, boxed; null if there is none.</returns>
    public abstract ValueTask<object?> InvokeUntyped(object message, object? state, CancellationToken ct);
}

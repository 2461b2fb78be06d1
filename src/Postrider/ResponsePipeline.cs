namespace Postrider;

/// <summary>A pipeline for callers that know the response type, but not the message type.</summary>
/// <typeparam name="TResponse">The response.</typeparam>
public abstract class ResponsePipeline<TResponse> : Pipeline
{
    /// <summary>Runs the pipeline.</summary>
    /// <param name="message">A message of <see cref="Pipeline.MessageType"/> or of a type derived from it; not checked.</param>
    /// <param name="state">The caller's <see cref="CallOrigin"/>, or null for the root.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response.</returns>
    public abstract ValueTask<TResponse> InvokeMessage(object message, object? state, CancellationToken ct);
}

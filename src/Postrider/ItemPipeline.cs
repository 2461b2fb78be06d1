namespace Postrider;

/// <summary>A stream pipeline whose item type is known and whose message type is not.</summary>
/// <typeparam name="TItem">The type of the items.</typeparam>
public abstract class ItemPipeline<TItem> : Pipeline
{
    /// <summary>Runs the pipeline.</summary>
    /// <param name="message">A message of <see cref="Pipeline.MessageType"/> or of a type derived from it; not checked.</param>
    /// <param name="state">The caller's <see cref="CallOrigin"/>, or null for the root.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The items.</returns>
    public abstract IAsyncEnumerable<TItem> InvokeMessage(object message, object? state, CancellationToken ct);
}

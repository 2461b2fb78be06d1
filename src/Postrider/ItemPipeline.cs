using System.Runtime.CompilerServices;

namespace Postrider;

/// <summary>A stream pipeline for callers that know the item type, but not the message type.</summary>
/// <typeparam name="TItem">The type of the items.</typeparam>
public abstract class ItemPipeline<TItem> : Pipeline, IUntypedItems
{
    /// <summary>Runs the pipeline.</summary>
    /// <param name="message">A message of <see cref="Pipeline.MessageType"/> or of a type derived from it; not checked.</param>
    /// <param name="state">The caller's <see cref="CallOrigin"/>, or null for the root.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The items.</returns>
    public abstract IAsyncEnumerable<TItem> InvokeMessage(object message, object? state, CancellationToken ct);

    IAsyncEnumerable<object?> IUntypedItems.InvokeUntypedItems(object message, object? state, CancellationToken ct)
        => Boxed(InvokeMessage(message, state, ct), ct);

    private static async IAsyncEnumerable<object?> Boxed(IAsyncEnumerable<TItem> items, [EnumeratorCancellation] CancellationToken ct)
    {
        await foreach (var item in items.WithCancellation(ct).ConfigureAwait(false))
            yield return item;
    }
}

/// <summary>A stream pipeline whose item type is unknown.</summary>
internal interface IUntypedItems
{
    IAsyncEnumerable<object?> InvokeUntypedItems(object message, object? state, CancellationToken ct);
}

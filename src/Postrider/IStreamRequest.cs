using System.ComponentModel;

namespace Postrider;

/// <summary>A message for which one handler returns a sequence.</summary>
/// <typeparam name="TItem">The type of the items.</typeparam>
public interface IStreamRequest<TItem>
{
    /// <summary>Calls the pipeline of this message's type. Called by dispatchers and implemented by generated code.</summary>
    /// <param name="target">The dispatcher in use.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The handler's sequence; nothing runs before it is enumerated.</returns>
    /// <exception cref="PostriderException">There is no handler for the message's type.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    IAsyncEnumerable<TItem> DispatchTo(DispatcherCore target, CancellationToken ct) => target.StreamByType<TItem>(this, ct);
}

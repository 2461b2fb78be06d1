using System.ComponentModel;

namespace Postrider;

/// <summary>A message for which one handler returns a <typeparamref name="TResponse"/>.</summary>
/// <typeparam name="TResponse">What the handler returns. Invariant on purpose: a covariant response would need a
/// <see cref="ValueTask{TResult}"/> to be reinterpreted, which is unsound.</typeparam>
/// <remarks>If the message is declared <c>partial</c>, the generator adds a call by its type id: a caller that only knows this interface
/// then needs one interface call instead of a lookup by type.</remarks>
public interface IRequest<TResponse>
{
    /// <summary>Calls the pipeline of this message's type. Called by dispatchers and implemented by generated code.</summary>
    /// <param name="target">The dispatcher in use.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The handler's response.</returns>
    /// <exception cref="PostriderException">There is no handler for the message's type.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    ValueTask<TResponse> DispatchTo(DispatcherCore target, CancellationToken ct) => target.SendByType<TResponse>(this, ct);
}

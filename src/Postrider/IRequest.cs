using System.ComponentModel;

namespace Postrider;

/// <summary>A message that one handler answers with a <typeparamref name="TResponse"/>.</summary>
/// <typeparam name="TResponse">What the handler returns. Invariant on purpose: a covariant response would need a
/// <see cref="ValueTask{TResult}"/> to be reinterpreted, which is unsound.</typeparam>
/// <remarks>Declare the message <c>partial</c> and the generator gives it a slot of its own; then a caller that sees only
/// this interface pays one interface call instead of a lookup by type.</remarks>
public interface IRequest<TResponse>
{
    /// <summary>Calls the pipeline of this message's type. Called by dispatchers and implemented by the generator.</summary>
    /// <param name="target">The dispatcher in use.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The handler's response.</returns>
    /// <exception cref="PostriderException">No handler is known for the message's type.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    ValueTask<TResponse> DispatchTo(DispatcherCore target, CancellationToken ct) => target.SendByType<TResponse>(this, ct);
}

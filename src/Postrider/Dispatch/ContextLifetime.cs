// Hot path: Next.Invoke -> this -> the next step. Allocations: none.
using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>The rest of a pipeline behind a middleware, where a call has a context: notes whether it ended before the
/// middleware did; made by generated code.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="next">The step behind the middleware.</param>
/// <remarks>A rest that waits is taken for one that may outlive its middleware (a race against a delay is enough): its context
/// does not go back to the pool.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ContextLifetime<TRequest, TResponse>(RequestPipeline<TRequest, TResponse> next) : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    /// <summary>Called as the middleware is: it may call the rest now, later or never.</summary>
    /// <param name="state">What the entry handed down.</param>
    /// <returns>This.</returns>
    public ContextLifetime<TRequest, TResponse> Expect(object? state)
    {
        if (state is MessageContext context)
            context.Expect();
        return this;
    }

    /// <inheritdoc/>
    public override ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct)
    {
        if (state is not MessageContext context)
            return next.Invoke(request, state, ct);

        context.BeginRest();
        var task = next.Invoke(request, state, ct);
        if (task.IsCompleted)
            context.EndRest();
        return task;
    }
}

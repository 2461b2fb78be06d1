// Hot path: Next.Invoke -> this -> the next step. Allocations: none.
using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>The rest of a pipeline after a middleware, for calls with a context: records whether it ended before the middleware did.
/// Created by generated code.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="next">The step after the middleware.</param>
/// <remarks>A rest of the pipeline that does not complete synchronously may outlive its middleware (for example in a race against a delay), so its
/// context is not returned to the pool.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ContextLifetime<TRequest, TResponse>(RequestPipeline<TRequest, TResponse> next) : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    /// <summary>Called together with the middleware, which may call the rest now, later or never.</summary>
    /// <param name="state">The state from the entry.</param>
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

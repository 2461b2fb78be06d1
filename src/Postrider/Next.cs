// Hot path: IMiddleware.Handle -> this -> the next step. Allocations: none.
using System.Runtime.CompilerServices;

namespace Postrider;

/// <summary>The rest of the pipeline after a middleware. It may be called not at all (short circuit), once, or several times (retry).</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <remarks>Two references, passed in registers. Valid until the middleware's task completes.</remarks>
public readonly struct Next<TRequest, TResponse>
    where TRequest : notnull
{
    private readonly RequestPipeline<TRequest, TResponse> _step;
    private readonly object? _state;

    /// <summary>Creates a continuation that calls <paramref name="step"/>; used by generated code and by tests of middleware.</summary>
    /// <param name="step">The step that follows.</param>
    /// <param name="state">The state from the entry.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Next(RequestPipeline<TRequest, TResponse> step, object? state)
    {
        _step = step;
        _state = state;
    }

    /// <summary>Runs the rest of the pipeline.</summary>
    /// <param name="request">The message; a middleware may pass a different one.</param>
    /// <param name="ct">The cancellation token for the rest.</param>
    /// <returns>The response.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask<TResponse> Invoke(TRequest request, CancellationToken ct) => _step.Invoke(request, _state, ct);
}

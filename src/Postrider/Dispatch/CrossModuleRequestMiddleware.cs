using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Middleware around a request's handler in a referenced project; created by generated code.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="wrap">Puts the middleware's steps before a step, from the root's services.</param>
/// <param name="needs">The needs of the middleware for each call.</param>
/// <param name="middleware">Their names, outermost first.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CrossModuleRequestMiddleware<TRequest, TResponse>(
    Func<IServiceProvider, RequestPipeline<TRequest, TResponse>, RequestPipeline<TRequest, TResponse>> wrap,
    PipelineNeeds needs,
    IReadOnlyList<string> middleware)
    : CrossModuleMiddleware(needs, middleware)
    where TRequest : notnull
{
    /// <inheritdoc/>
    public override Type MessageType => typeof(TRequest);

    internal RequestPipeline<TRequest, TResponse> Wrap(IServiceProvider root, RequestPipeline<TRequest, TResponse> inner) => wrap(root, inner);
}

using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Middleware around a stream's handler in a referenced project; created by generated code.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
/// <param name="wrap">Puts the middleware's steps before a step, from the root's services.</param>
/// <param name="needs">The needs of the middleware for each call.</param>
/// <param name="middleware">Their names, outermost first.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CrossModuleStreamMiddleware<TRequest, TItem>(
    Func<IServiceProvider, StreamPipeline<TRequest, TItem>, StreamPipeline<TRequest, TItem>> wrap,
    PipelineNeeds needs,
    IReadOnlyList<string> middleware)
    : CrossModuleMiddleware(needs, middleware)
    where TRequest : notnull
{
    /// <inheritdoc/>
    public override Type MessageType => typeof(TRequest);

    internal StreamPipeline<TRequest, TItem> Wrap(IServiceProvider root, StreamPipeline<TRequest, TItem> inner) => wrap(root, inner);
}

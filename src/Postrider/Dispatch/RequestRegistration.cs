using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>A request or command and its handler.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="compose">Creates the steps after the entry, from the root's services.</param>
/// <param name="description">The description in the handler map.</param>
public sealed class RequestRegistration<TRequest, TResponse>(
    Func<IServiceProvider, RequestPipeline<TRequest, TResponse>> compose, MessageDescription description)
    : MessageRegistration(description)
    where TRequest : notnull
{
    /// <inheritdoc/>
    public override Type MessageType => typeof(TRequest);

    internal override Pipeline Compose(IServiceProvider root, bool traced, IReadOnlyList<CrossModuleMiddleware> wrappers)
    {
        var first = compose(root);
        var needs = NeedsWith(wrappers);
        if (Description.Needs == PipelineNeeds.Scope && needs == PipelineNeeds.ScopeAndContext)
            first = new ScopeOfContextStep<TRequest, TResponse>(first);
        foreach (var wrapper in wrappers)
            first = ((CrossModuleRequestMiddleware<TRequest, TResponse>)wrapper).Wrap(root, first);

        var entry = Entry(root, first, needs, wrappers);
        return traced ? new TracedRequestPipeline<TRequest, TResponse>(entry) : entry;
    }

    private RequestPipeline<TRequest, TResponse> Entry(
        IServiceProvider root, RequestPipeline<TRequest, TResponse> first, PipelineNeeds needs, IReadOnlyList<CrossModuleMiddleware> wrappers)
    {
        return needs switch
        {
            PipelineNeeds.None => first,
            PipelineNeeds.Scope => new ScopedRequestPipeline<TRequest, TResponse>(
                first, root.GetRequiredService<IServiceScopeFactory>(), UseWith(wrappers)),
            PipelineNeeds.Context => new ContextRequestPipeline<TRequest, TResponse>(first, root, scopes: null),
            _ => new ContextRequestPipeline<TRequest, TResponse>(first, root, root.GetRequiredService<IServiceScopeFactory>()),
        };
    }
}

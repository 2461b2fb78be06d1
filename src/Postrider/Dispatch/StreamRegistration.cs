using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>A stream request and its handler.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
/// <param name="compose">Creates the steps after the entry, from the root's services.</param>
/// <param name="description">The description in the handler map.</param>
public sealed class StreamRegistration<TRequest, TItem>(
    Func<IServiceProvider, StreamPipeline<TRequest, TItem>> compose, MessageDescription description)
    : MessageRegistration(description)
    where TRequest : notnull
{
    /// <inheritdoc/>
    public override Type MessageType => typeof(TRequest);

    internal override Pipeline Compose(IServiceProvider root, bool traced, IReadOnlyList<CrossModuleMiddleware> wrappers)
    {
        var first = compose(root);
        var needs = NeedsWith(wrappers);
        foreach (var wrapper in wrappers)
            first = ((CrossModuleStreamMiddleware<TRequest, TItem>)wrapper).Wrap(root, first);

        if (needs != PipelineNeeds.None)
        {
            var scopes = needs == PipelineNeeds.Context ? null : root.GetRequiredService<IServiceScopeFactory>();
            first = new ScopedStreamPipeline<TRequest, TItem>(first, root, scopes, needs != PipelineNeeds.Scope, UseWith(wrappers));
        }

        return traced ? new TracedStreamPipeline<TRequest, TItem>(first) : first;
    }
}

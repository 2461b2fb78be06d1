using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>A stream request and its handler.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
/// <param name="compose">Makes the steps behind the entry, from the root's services.</param>
/// <param name="description">What the handler map shows.</param>
public sealed class StreamRegistration<TRequest, TItem>(
    Func<IServiceProvider, StreamPipeline<TRequest, TItem>> compose, MessageDescription description)
    : MessageRegistration(description)
    where TRequest : notnull
{
    /// <inheritdoc/>
    public override Type MessageType => typeof(TRequest);

    internal override Pipeline Compose(IServiceProvider root, bool traced)
    {
        var first = compose(root);
        if (Description.Needs == PipelineNeeds.None)
            return first;

        var scopes = Description.Needs == PipelineNeeds.Context ? null : root.GetRequiredService<IServiceScopeFactory>();
        return new ScopedStreamPipeline<TRequest, TItem>(first, root, scopes, Description.Needs != PipelineNeeds.Scope);
    }
}

using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>Makes the pipeline of a notification type.</summary>
internal static class PublishPipelines
{
    internal static PublishPipeline Make(
        Type messageType, NotificationStep[] steps, PublishStrategy strategy, PipelineNeeds needs, IServiceProvider root)
    {
        PublishPipeline pipeline = strategy switch
        {
            PublishStrategy.Sequential => new SequentialPublisher(messageType, steps),
            PublishStrategy.SequentialContinue => new ContinuingPublisher(messageType, steps),
            _ => new ParallelPublisher(messageType, steps),
        };
        return needs == PipelineNeeds.None
            ? pipeline
            : new ScopedPublishPipeline(
                pipeline,
                root,
                needs == PipelineNeeds.Context ? null : root.GetRequiredService<IServiceScopeFactory>(),
                needs);
    }
}

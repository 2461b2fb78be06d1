using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>Creates the pipeline of a notification type.</summary>
internal static class PublishPipelines
{
    internal static PublishPipeline Make(
        Type messageType,
        NotificationInvoker[] steps,
        Func<Type, NotificationInvoker[], SequentialPublisher>? inLine,
        PublishStrategy? strategy,
        DispatchOptions options,
        PipelineNeeds needs,
        IServiceProvider root)
    {
        if (strategy is null && (options.Publisher ?? options.ChoosePublisher?.Invoke()) is { } publisher)
            return Scoped(new CustomPublisher(messageType, steps, publisher), needs | PipelineNeeds.Scope, root);

        return Make(messageType, steps, inLine, strategy ?? options.DefaultStrategy, needs, root);
    }

    private static PublishPipeline Make(
        Type messageType,
        NotificationInvoker[] steps,
        Func<Type, NotificationInvoker[], SequentialPublisher>? inLine,
        PublishStrategy strategy,
        PipelineNeeds needs,
        IServiceProvider root)
    {
        PublishPipeline pipeline = strategy switch
        {
            PublishStrategy.Sequential => inLine?.Invoke(messageType, steps) ?? new SequentialPublisher(messageType, steps),
            PublishStrategy.SequentialContinue => new ContinueOnErrorPublisher(messageType, steps),
            PublishStrategy.Parallel => new ParallelPublisher(messageType, steps),
            _ => new ContinueOnErrorPublisher(messageType, steps),
        };
        if (needs != PipelineNeeds.None)
            pipeline = Scoped(pipeline, needs, root);
        return strategy == PublishStrategy.Background
            ? new BackgroundPublisher(pipeline, root.GetRequiredService<BackgroundQueue>())
            : pipeline;
    }

    private static ScopedPublishPipeline Scoped(PublishPipeline pipeline, PipelineNeeds needs, IServiceProvider root)
        => new(
            pipeline,
            root,
            needs == PipelineNeeds.Context ? null : root.GetRequiredService<IServiceScopeFactory>(),
            needs);
}

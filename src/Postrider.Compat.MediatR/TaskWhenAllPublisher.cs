namespace Postrider.Compat.MediatR;

/// <summary>All handlers at once, as MediatR has it; <see cref="PublishStrategy.Parallel"/>. Failures come together in an
/// <see cref="AggregateException"/>, where awaiting MediatR's throws the first alone.</summary>
public class TaskWhenAllPublisher : INotificationPublisher
{
    /// <inheritdoc/>
    public PublishStrategy Strategy => PublishStrategy.Parallel;
}

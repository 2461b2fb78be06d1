namespace Postrider.Compat.MediatR;

/// <summary>One handler after the other, as MediatR has it; <see cref="PublishStrategy.Sequential"/>.</summary>
public class ForeachAwaitPublisher : INotificationPublisher
{
    /// <inheritdoc/>
    public PublishStrategy Strategy => PublishStrategy.Sequential;
}

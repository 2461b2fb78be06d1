namespace Postrider.Compat.MediatR;

/// <summary>How the handlers of notifications are called. MediatR's passes the handlers as a list; here a publisher names a
/// strategy, and the pipeline calls them without making one.</summary>
public interface INotificationPublisher
{
    /// <summary>The strategy of notifications that have none of their own.</summary>
    PublishStrategy Strategy { get; }
}

namespace Postrider.Compat.MediatR;

/// <summary>A handler of a notification that is being published, as in MediatR.</summary>
/// <param name="HandlerInstance">The handler.</param>
/// <param name="HandlerCallback">Calls it.</param>
public record NotificationHandlerExecutor(object HandlerInstance, Func<INotification, CancellationToken, Task> HandlerCallback);

using System.ComponentModel;

namespace Postrider;

/// <summary>A message that any number of handlers receive, including none.</summary>
/// <remarks>Handlers of a base class or an interface of the published type also receive it.</remarks>
public interface INotification
{
    /// <summary>Calls the handlers of this message's type. Called by dispatchers and implemented by generated code.</summary>
    /// <param name="target">The dispatcher in use.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes as the publish strategy defines.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    ValueTask DispatchTo(DispatcherCore target, CancellationToken ct) => target.PublishByType(this, ct);
}

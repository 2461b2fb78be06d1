using System.ComponentModel;

namespace Postrider;

/// <summary>A message that any number of handlers hear, none included.</summary>
/// <remarks>Handlers of a base class or an interface of the published type hear it too.</remarks>
public interface INotification
{
    /// <summary>Calls the handlers of this message's type. Called by dispatchers and implemented by the generator.</summary>
    /// <param name="target">The dispatcher in use.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes as the publish strategy says.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    ValueTask DispatchTo(DispatcherCore target, CancellationToken ct) => target.PublishByType(this, ct);
}

namespace Postrider;

/// <summary>All handlers of a notification type and their publish strategy.</summary>
public abstract class PublishPipeline : Pipeline
{
    /// <summary>Calls the handlers.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="state">The caller's <see cref="CallOrigin"/>, or null for the root.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes as the strategy defines.</returns>
    public abstract ValueTask Invoke(object notification, object? state, CancellationToken ct);

    /// <inheritdoc/>
    public sealed override ValueTask<object?> InvokeUntyped(object message, object? state, CancellationToken ct)
    {
        var task = Invoke(message, state, ct);
        return task.IsCompletedSuccessfully ? default : Wait(task);

        static async ValueTask<object?> Wait(ValueTask task)
        {
            await task.ConfigureAwait(false);
            return null;
        }
    }
}

using System.Diagnostics;
using Postrider.Diagnostics;

namespace Postrider.Dispatch;

/// <summary>The entry of a notification type in a container with telemetry on.</summary>
internal sealed class TracedPublishPipeline(PublishPipeline first) : PublishPipeline
{
    private readonly string _message = first.MessageType.FullName ?? first.MessageType.Name;

    public override Type MessageType => first.MessageType;

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
        => DispatchTelemetry.IsListenedTo
            ? Traced(notification, state, ct)
            : first.Invoke(notification, state, ct);

    private async ValueTask Traced(object notification, object? state, CancellationToken ct)
    {
        var started = Stopwatch.GetTimestamp();
        var activity = DispatchTelemetry.Start(_message);
        try
        {
            await first.Invoke(notification, state, ct).ConfigureAwait(false);
            DispatchTelemetry.End(activity, _message, started, error: null);
        }
        catch (Exception error)
        {
            DispatchTelemetry.End(activity, _message, started, error);
            throw;
        }
    }
}

using System.Diagnostics;
using Postrider.Diagnostics;

namespace Postrider.Dispatch;

/// <summary>The entry of a message type in a container with telemetry on.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
internal sealed class TracedRequestPipeline<TRequest, TResponse>(RequestPipeline<TRequest, TResponse> first)
    : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    private readonly string _message = typeof(TRequest).FullName ?? typeof(TRequest).Name;

    public override ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct)
        => DispatchTelemetry.IsListenedTo
            ? Traced(request, state, ct)
            : first.Invoke(request, state, ct);

    private async ValueTask<TResponse> Traced(TRequest request, object? state, CancellationToken ct)
    {
        var started = Stopwatch.GetTimestamp();
        var activity = DispatchTelemetry.Start(_message);
        try
        {
            var response = await first.Invoke(request, state, ct).ConfigureAwait(false);
            DispatchTelemetry.End(activity, _message, started, error: null);
            return response;
        }
        catch (Exception error)
        {
            DispatchTelemetry.End(activity, _message, started, error);
            throw;
        }
    }
}

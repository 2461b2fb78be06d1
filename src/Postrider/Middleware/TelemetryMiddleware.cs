using System.Diagnostics;
using Postrider.Diagnostics;

namespace Postrider.Middleware;

/// <summary>Creates an activity and a measurement for selected messages. For all messages use the option of <c>AddPostrider</c>, which
/// costs nothing without a listener.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
[Middleware(Lifetime = HandlerLifetime.Singleton)]
public sealed class TelemetryMiddleware<TRequest, TResponse> : IMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    private static readonly string s_message = typeof(TRequest).FullName ?? typeof(TRequest).Name;

    /// <inheritdoc/>
    public ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
        => DispatchTelemetry.IsListenedTo ? Traced(request, next, ct) : next.Invoke(request, ct);

    private static async ValueTask<TResponse> Traced(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        var started = Stopwatch.GetTimestamp();
        var activity = DispatchTelemetry.Start(s_message);
        try
        {
            var response = await next.Invoke(request, ct).ConfigureAwait(false);
            DispatchTelemetry.End(activity, s_message, started, error: null);
            return response;
        }
        catch (Exception error)
        {
            DispatchTelemetry.End(activity, s_message, started, error);
            throw;
        }
    }
}

using System.Diagnostics;
using System.Runtime.CompilerServices;
using Postrider.Diagnostics;

namespace Postrider.Dispatch;

/// <summary>The entry of a stream in a container with telemetry on: the activity lasts as long as the enumeration.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
internal sealed class TracedStreamPipeline<TRequest, TItem>(StreamPipeline<TRequest, TItem> first) : StreamPipeline<TRequest, TItem>
    where TRequest : notnull
{
    private readonly string _message = typeof(TRequest).FullName ?? typeof(TRequest).Name;

    public override IAsyncEnumerable<TItem> Invoke(TRequest request, object? state, CancellationToken ct)
        => DispatchTelemetry.IsListenedTo ? Traced(request, state, ct) : first.Invoke(request, state, ct);

    private async IAsyncEnumerable<TItem> Traced(TRequest request, object? state, [EnumeratorCancellation] CancellationToken ct)
    {
        var started = Stopwatch.GetTimestamp();
        var activity = DispatchTelemetry.Start(_message);
        Exception? error = null;
        var items = first.Invoke(request, state, ct).GetAsyncEnumerator(ct);
        try
        {
            while (true)
            {
                try
                {
                    if (!await items.MoveNextAsync().ConfigureAwait(false))
                        break;
                }
                catch (Exception failure)
                {
                    error = failure;
                    throw;
                }

                yield return items.Current;
            }
        }
        finally
        {
            await items.DisposeAsync().ConfigureAwait(false);
            DispatchTelemetry.End(activity, _message, started, error);
        }
    }
}

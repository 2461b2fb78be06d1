using System.Runtime.CompilerServices;

namespace Postrider.Rpc.Activation;

/// <summary>An operation that returns a stream and whose implementation is provided for each call: from the first step of the
/// enumeration to its end.</summary>
internal sealed class ActivatedStream<TService, TRequest, TItem, TResponse>(
    RpcServiceActivator<TService> activator,
    Func<TService, TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, IAsyncEnumerable<TResponse>> stream)
    where TService : class
{
    public async IAsyncEnumerable<TResponse> StreamAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        var service = activator.Activate(context, out var release);
        try
        {
            await foreach (var item in stream(service, request, items, context, ct).WithCancellation(ct).ConfigureAwait(false))
                yield return item;
        }
        finally
        {
            if (release is not null)
                await activator.ReleaseAsync(release).ConfigureAwait(false);
        }
    }
}

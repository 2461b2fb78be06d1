using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The entry of a stream that needs a scope or a context: both live as long as the enumeration.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
internal sealed class ScopedStreamPipeline<TRequest, TItem>(
    StreamPipeline<TRequest, TItem> first, IServiceProvider root, IServiceScopeFactory? scopes, bool withContext)
    : StreamPipeline<TRequest, TItem>
    where TRequest : notnull
{
    public override IAsyncEnumerable<TItem> Invoke(TRequest request, object? state, CancellationToken ct)
        => state is CallOrigin { Services: { } services } && !withContext
            ? first.Invoke(request, services, ct) // the surrounding scope outlives the enumeration: nothing to wrap
            : Enumerate(request, state as CallOrigin, ct);

    private async IAsyncEnumerable<TItem> Enumerate(
        TRequest request, CallOrigin? origin, [EnumeratorCancellation] CancellationToken ct)
    {
        var scope = origin?.Services is null ? scopes?.CreateScope() : null;
        var services = origin?.Services ?? scope?.ServiceProvider ?? root;
        var context = withContext ? ContextPool.Rent() : null;
        try
        {
            context?.Begin(origin, services, ct);
            var items = first.Invoke(request, context is null ? services : context, ct);
            await foreach (var item in items.WithCancellation(ct).ConfigureAwait(false))
                yield return item;
        }
        finally
        {
            if (context is not null)
                ContextPool.Return(context);
            if (scope is not null)
                await ScopeEnd.DisposeAsync(scope).ConfigureAwait(false);
        }
    }
}

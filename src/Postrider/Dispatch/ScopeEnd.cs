using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>Disposes a scope the way its container offers.</summary>
internal static class ScopeEnd
{
    internal static ValueTask DisposeAsync(IServiceScope scope)
    {
        if (scope is IAsyncDisposable asynchronous)
            return asynchronous.DisposeAsync();

        scope.Dispose();
        return default;
    }

    // After a synchronous throw: an asynchronous disposal is not awaited; the exception matters more.
    internal static void Dispose(IServiceScope scope)
    {
        var end = DisposeAsync(scope);
        if (!end.IsCompletedSuccessfully)
            _ = end.AsTask();
    }
}

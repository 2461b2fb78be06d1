namespace Postrider.Broker.Http;

/// <summary>Builds pages one after another, so that they use at most one core and the memory of one page.</summary>
/// <remarks>Thread-safe.</remarks>
#pragma warning disable CA1001 // The semaphore has no handle: nothing is left behind.
internal sealed class PageQueue
#pragma warning restore CA1001
{
    private readonly SemaphoreSlim _building = new(1, 1);

    /// <summary>Builds something when nothing else is being built.</summary>
    /// <param name="build">Builds it.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The result of <paramref name="build"/>.</returns>
    internal async Task<T> BuildAsync<T>(Func<T> build, CancellationToken ct)
    {
        await _building.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            BackgroundWork.Begin();
            return build();
        }
        finally
        {
            _building.Release();
        }
    }
}

namespace Postrider.Middleware;

/// <summary>Caches the responses of queries in memory until they expire. Failures are not cached.</summary>
/// <typeparam name="TRequest">The query.</typeparam>
/// <typeparam name="TResponse">The response; shared between callers, so it must not be changed.</typeparam>
/// <param name="time">The clock; null for the system clock.</param>
/// <param name="options">Null for the defaults.</param>
/// <remarks>Thread-safe. Concurrent queries for a key that is not cached all call the handler.</remarks>
[Middleware(Lifetime = HandlerLifetime.Singleton)]
public sealed class CachingMiddleware<TRequest, TResponse>(TimeProvider? time = null, CachingOptions? options = null)
    : IMiddleware<TRequest, TResponse>
    where TRequest : ICacheable
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly int _maxEntries = Checked((options ?? new()).MaxEntries);
    private readonly Lock _sync = new(); // guards _entries
    private readonly Dictionary<string, (TResponse Response, DateTimeOffset Until)> _entries = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        var key = request.CacheKey ?? throw new PostriderException(PostriderError.Configuration, $"The cache key of {typeof(TRequest)} is null.");
        lock (_sync)
        {
            if (_entries.TryGetValue(key, out var kept) && kept.Until > _time.GetUtcNow())
                return new(kept.Response);
        }

        return RequestAsync(request, key, next, ct);
    }

    private async ValueTask<TResponse> RequestAsync(TRequest request, string key, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        var response = await next.Invoke(request, ct).ConfigureAwait(false);
        lock (_sync)
        {
            if (_entries.Count >= _maxEntries && !_entries.ContainsKey(key))
                _entries.Remove(_entries.MinBy(e => e.Value.Until).Key);
            _entries[key] = (response, Expiry.After(_time, request.CacheFor));
        }

        return response;
    }

    private static int Checked(int maxEntries)
        => maxEntries > 0
            ? maxEntries
            : throw new PostriderException(
                PostriderError.Configuration, $"CachingOptions.MaxEntries of {typeof(TRequest)} is {maxEntries}; it must be at least 1.");
}

namespace Postrider.Middleware;

/// <summary>A query whose response may be cached; implement it to apply <see cref="CachingMiddleware{TRequest, TResponse}"/>.</summary>
public interface ICacheable
{
    /// <summary>The cache key: queries of the same type with equal keys have the same response.</summary>
    string CacheKey { get; }

    /// <summary>How long the response may be cached; <see cref="TimeSpan.MaxValue"/> for no limit.</summary>
    TimeSpan CacheFor { get; }
}

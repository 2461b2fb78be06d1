namespace Postrider.Middleware;

/// <summary>A query whose response may be kept; implement it to have <see cref="CachingMiddleware{TRequest, TResponse}"/> fit.</summary>
public interface ICacheable
{
    /// <summary>What makes two queries of one type the same.</summary>
    string CacheKey { get; }

    /// <summary>How long the response is good for; <see cref="TimeSpan.MaxValue"/> for ever.</summary>
    TimeSpan CacheFor { get; }
}

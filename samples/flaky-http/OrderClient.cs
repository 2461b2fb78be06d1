using System.Net;
using Postrider.Resilience;

namespace FlakyHttp;

/// <summary>Reads orders, and passes what the server reports about its load to the shared limiter.</summary>
internal sealed class OrderClient(HttpClient http, RateLimiter limiter)
{
    public async ValueTask<string> ReadAsync(int id, CancellationToken ct)
    {
        using var response = await http.GetAsync(new Uri($"orders/{id}", UriKind.Relative), ct);
        if (response.IsSuccessStatusCode)
            return await response.Content.ReadAsStringAsync(ct);

        // A response with Retry-After holds back all callers, not only the one that received it.
        var retryAfter = RetryAfter(response);
        if (retryAfter is { } wait)
            limiter.HoldBack(wait);
        throw new ServerFailedException(response.StatusCode, retryAfter);
    }

    private static TimeSpan? RetryAfter(HttpResponseMessage response) => response.Headers.RetryAfter switch
    {
        { Delta: { } delta } => delta,
        { Date: { } date } => date - TimeProvider.System.GetUtcNow(),
        _ => null,
    };
}

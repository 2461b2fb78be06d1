using System.Net;

namespace FlakyHttp;

/// <summary>The server returned an error.</summary>
internal sealed class ServerFailedException(HttpStatusCode status, TimeSpan? retryAfter) : Exception($"The server answered {(int)status}.")
{
    public HttpStatusCode Status { get; } = status;

    public TimeSpan? RetryAfter { get; } = retryAfter;
}

using System.Net;
using System.Net.Http.Headers;
using System.Text;
using Amazon.Runtime;

namespace Postrider.Transport.Aws;

/// <summary>Calls services of AWS for which no package is used: one signed POST for each call.</summary>
/// <remarks>Thread-safe. A clock that differs from the service's is corrected with the date of its response.</remarks>
internal sealed class SignedHttp(AwsOptions options, AwsRegion region, AWSCredentials credentials, TimeProvider time) : IDisposable
{
    // Responses are short: at most ten results, or a page of a hundred subscriptions.
    private const int MaxAnswerBytes = 4 * 1024 * 1024;

    private readonly HttpClient _client = new(new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, PooledConnectionLifetime = TimeSpan.FromMinutes(5) }) { Timeout = Timeout.InfiniteTimeSpan };
    private long _skewTicks;

    /// <summary>Makes a call.</summary>
    /// <param name="service">The service's name in addresses and signatures.</param>
    /// <param name="contentType">The media type of the body.</param>
    /// <param name="target">The operation of a JSON protocol; null for a query protocol.</param>
    /// <param name="body">The body.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The text of a successful response.</returns>
    /// <exception cref="AmazonServiceException">The service returned an error, or the response is from a different server.</exception>
    /// <exception cref="HttpRequestException">The service cannot be reached.</exception>
    internal async Task<string> PostAsync(string service, string contentType, string? target, byte[] body, CancellationToken ct)
    {
        var (status, text, date) = await OnceAsync(service, contentType, target, body, ct).ConfigureAwait(false);
        if (status != HttpStatusCode.OK && date is { } theirs && AwsErrors.IsSkew(Failure(service, status, text)))
        {
            Interlocked.Exchange(ref _skewTicks, (theirs - time.GetUtcNow()).Ticks);
            (status, text, _) = await OnceAsync(service, contentType, target, body, ct).ConfigureAwait(false);
        }

        return status == HttpStatusCode.OK && !IsPage(text) ? text : throw Failure(service, status, text);
    }

    public void Dispose() => _client.Dispose();

    private async Task<(HttpStatusCode Status, string Text, DateTimeOffset? Date)> OnceAsync(string service, string contentType, string? target, byte[] body, CancellationToken ct)
    {
        var current = await credentials.GetCredentialsAsync().ConfigureAwait(false);
        var address = options.Endpoint ?? region.Endpoint(service);
        var now = time.GetUtcNow() + TimeSpan.FromTicks(Interlocked.Read(ref _skewTicks));
        List<(string, string)> headers = [("host", address.IsDefaultPort ? address.Host : $"{address.Host}:{address.Port}"), ("content-type", contentType), ("x-amz-date", SigV4.Format(now))];
        if (target is not null)
            headers.Add(("x-amz-target", target));
        if (current.UseToken)
            headers.Add(("x-amz-security-token", current.Token));

        using var request = new HttpRequestMessage(HttpMethod.Post, address) { Content = new ByteArrayContent(body) };
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(contentType);
        foreach (var (name, value) in headers.Skip(2))
            request.Headers.TryAddWithoutValidation(name, value);
        request.Headers.TryAddWithoutValidation("Authorization", SigV4.Authorization("POST", address, headers, body, (region.Name, service), current, now));
        using var answer = await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct).ConfigureAwait(false);
        return (answer.StatusCode, await ReadAsync(answer, ct).ConfigureAwait(false), answer.Headers.Date);
    }

    private static async Task<string> ReadAsync(HttpResponseMessage answer, CancellationToken ct)
    {
        using var stream = await answer.Content.ReadAsStreamAsync(ct).ConfigureAwait(false);
        using var kept = new MemoryStream();
        var buffer = new byte[16 * 1024];
        for (int read; (read = await stream.ReadAsync(buffer, ct).ConfigureAwait(false)) > 0;)
        {
            if (kept.Length + read > MaxAnswerBytes)
                throw new HttpRequestException($"The response has more than {MaxAnswerBytes} bytes.");
            kept.Write(buffer, 0, read);
        }

        return Encoding.UTF8.GetString(kept.GetBuffer(), 0, (int)kept.Length);
    }

    private static AmazonServiceException Failure(string service, HttpStatusCode status, string text)
    {
        if (AwsErrorText.TryRead(text) is { } error)
            return new AmazonServiceException(error.Message, (int)status < 500 ? ErrorType.Sender : ErrorType.Receiver, error.Code, null, status);
        var excerpt = text.Length > 100 ? text[..100] : text;
        return new AmazonServiceException(
            $"The response for {service} is not from the service (HTTP {(int)status}, '{excerpt.ReplaceLineEndings(" ").Trim()}'): check the endpoint, and proxies on the way.", ErrorType.Unknown, AwsErrors.NotTheService, null, status);
    }

    private static bool IsPage(string text) => text.AsSpan().TrimStart().StartsWith("<!", StringComparison.Ordinal) || text.AsSpan().TrimStart().StartsWith("<html", StringComparison.OrdinalIgnoreCase);
}

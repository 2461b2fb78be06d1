using System.Net;

namespace Postrider.Resilience.Http;

/// <summary>Sends requests with retries, time limits, a circuit breaker, a rate limit and a bulkhead.</summary>
/// <remarks>Thread-safe. The order is that of <c>Postrider.Flow</c>: the bulkhead around all attempts; for each attempt the breaker, then
/// the rate limit, then the time limit.</remarks>
public sealed class ResilienceHandler : DelegatingHandler
{
    private const string IdempotencyKey = "Idempotency-Key";

    private readonly HttpResilienceOptions _options;

    /// <summary>Creates a handler.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="ArgumentException">An option is wrong; the message names it.</exception>
    public ResilienceHandler(HttpResilienceOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options;
    }

    /// <inheritdoc/>
    /// <exception cref="HttpRequestException">The last attempt could not be sent, or it was answered with a status that is retried and
    /// the answer was released already.</exception>
    /// <exception cref="TimeoutException">The last attempt exceeded its time limit.</exception>
    /// <exception cref="CircuitBreakerOpenException">The circuit breaker is open.</exception>
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (_options.Bulkhead is { } bulkhead)
        {
            await bulkhead.AcquireAsync(ct: cancellationToken).ConfigureAwait(false);
            try
            {
                return await RetryAsync(request, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                bulkhead.Release();
            }
        }

        return await RetryAsync(request, cancellationToken).ConfigureAwait(false);
    }

    private static bool IsPassing(HttpStatusCode status) => status is HttpStatusCode.RequestTimeout or HttpStatusCode.TooManyRequests
        or HttpStatusCode.InternalServerError or HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout;

    private static HttpRequestException Failure(HttpResponseMessage response)
        => new($"The server answered with {(int)response.StatusCode} ({response.ReasonPhrase}).", inner: null, response.StatusCode);

    private async Task<HttpResponseMessage> RetryAsync(HttpRequestMessage request, CancellationToken ct)
    {
        var retry = await MayRepeatAsync(request, ct).ConfigureAwait(false) ? _options.Retry : null;
        retry?.Budget?.Deposit();
        var delay = TimeSpan.Zero;
        for (var attempt = 1; ; attempt++)
        {
            HttpResponseMessage? response = null;
            Exception failure;
            try
            {
                response = await AttemptAsync(request, ct).ConfigureAwait(false);
                if (retry is null || !IsPassing(response.StatusCode))
                    return response;
                failure = Failure(response);
            }
            catch (Exception thrown) when (retry is not null && thrown is HttpRequestException or TimeoutException or CircuitBreakerOpenException)
            {
                failure = thrown;
            }

            if (retry is null || !retry.TryPlan(failure, attempt, delay, out delay))
                return response ?? throw failure;
            if ((RetryAfter(response) ?? (failure as CircuitBreakerOpenException)?.RetryAfter) is { } asked)
            {
                // A request sent earlier than the server or the breaker allows would be rejected again; the wait is limited.
                if (asked > retry.MaxDelay)
                    return response ?? throw failure;
                delay = asked > delay ? asked : delay;
            }

            response?.Dispose();
            await Task.Delay(delay, _options.TimeProvider, ct).ConfigureAwait(false);
        }
    }

    private TimeSpan? RetryAfter(HttpResponseMessage? response) => response?.Headers.RetryAfter switch
    {
        { Delta: { } delta } => delta,
        { Date: { } date } when date - _options.TimeProvider.GetUtcNow() is var wait => wait > TimeSpan.Zero ? wait : TimeSpan.Zero,
        _ => null,
    };

    // The first attempt consumes the body, so it is buffered beforehand if it may be sent again.
    private async ValueTask<bool> MayRepeatAsync(HttpRequestMessage request, CancellationToken ct)
    {
        if (_options.Retry is not { MaxAttempts: > 1 })
            return false;
        if (!_options.RetryUnsafeMethods && (request.Method == HttpMethod.Post || request.Method == HttpMethod.Patch) && !request.Headers.Contains(IdempotencyKey))
            return false;
        if (request.Content is not { } content)
            return true;
        if (content.Headers.ContentLength is not { } length || length > _options.MaxBufferedBytes)
            return false;
        await content.LoadIntoBufferAsync(_options.MaxBufferedBytes, ct).ConfigureAwait(false);
        return true;
    }

    private async Task<HttpResponseMessage> AttemptAsync(HttpRequestMessage request, CancellationToken ct)
    {
        if (_options.CircuitBreaker is not { } breaker)
            return await SendLimitedAsync(request, ct).ConfigureAwait(false);
        if (!breaker.TryEnter(out var ticket))
            throw breaker.Refusal();
        var began = _options.TimeProvider.GetTimestamp();
        HttpResponseMessage response;
        try
        {
            response = await SendLimitedAsync(request, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            breaker.OnAbandoned(ticket);
            throw;
        }
        catch (Exception failure)
        {
            breaker.OnFailure(ticket, failure, _options.TimeProvider.GetElapsedTime(began));
            throw;
        }

        if (IsPassing(response.StatusCode))
            breaker.OnFailure(ticket, Failure(response), _options.TimeProvider.GetElapsedTime(began));
        else
            breaker.OnSuccess(ticket, _options.TimeProvider.GetElapsedTime(began));
        return response;
    }

    private async Task<HttpResponseMessage> SendLimitedAsync(HttpRequestMessage request, CancellationToken ct)
    {
        if (_options.RateLimit is { } limit)
            await limit.AcquireAsync(ct: ct).ConfigureAwait(false);
        if (_options.AttemptTimeout is not { } timeout)
            return await base.SendAsync(request, ct).ConfigureAwait(false);
        using var deadline = new CancellationTokenSource(timeout, _options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, deadline.Token);
        try
        {
            return await base.SendAsync(request, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException late) when (deadline.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            throw new TimeoutException($"{request.Method} {request.RequestUri?.GetLeftPart(UriPartial.Path)} was not answered within {timeout}.", late);
        }
    }
}

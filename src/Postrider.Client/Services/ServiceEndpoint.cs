
using Postrider.Serialization;

namespace Postrider.Client.Services;

/// <summary>One endpoint: its subscription and its statistics.</summary>
internal sealed class ServiceEndpoint(string name, string subject, string? queueGroup, IReadOnlyDictionary<string, string> metadata, TimeProvider time)
{
    private const long NanosecondsPerTick = 1_000_000_000 / TimeSpan.TicksPerSecond;

    // Guards the statistics.
    private readonly Lock _gate = new();
    private long _requests;
    private long _errors;
    private long _ticks;
    private string _lastError = "";

    public NatsSubscription? Subscription { get; set; }

    public EndpointInfo Info => new() { Name = name, Subject = subject, QueueGroup = queueGroup ?? "", Metadata = metadata };

    public EndpointStatistics Statistics
    {
        get
        {
            lock (_gate)
            {
                return new EndpointStatistics
                {
                    Name = name,
                    Subject = subject,
                    QueueGroup = queueGroup ?? "",
                    Requests = _requests,
                    Errors = _errors,
                    LastError = _lastError,
                    ProcessingNanoseconds = _ticks * NanosecondsPerTick,
                    AverageProcessingNanoseconds = _requests == 0 ? 0 : _ticks * NanosecondsPerTick / _requests,
                };
            }
        }
    }

    public void Reset()
    {
        lock (_gate) (_requests, _errors, _ticks, _lastError) = (0, 0, 0, "");
    }

    /// <summary>Handles a request and sends the reply: the result or an error.</summary>
    public async ValueTask HandleAsync<TRequest, TReply>(
        NatsMessage<TRequest> request,
        Func<NatsMessage<TRequest>, CancellationToken, ValueTask<TReply>> handler,
        Serializer<TReply> serializer,
        CancellationToken ct)
    {
        var start = time.GetTimestamp();
        string? failure = null;
        try
        {
            var reply = await handler(request, ct).ConfigureAwait(false);
            if (request.ExpectsReply) await request.ReplyAsync(reply, null, serializer, ct).ConfigureAwait(false);
        }
        catch (NatsServiceException error)
        {
            failure = await RejectAsync(request, error.ServiceCode, error.Description).ConfigureAwait(false);
        }
        catch (NatsClientException error) when (error.Code == NatsErrorCode.PayloadUnreadable)
        {
            failure = await RejectAsync(request, 400, error.Message).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            await RejectAsync(request, ServiceErrors.InternalError, error.Message).ConfigureAwait(false);
            Count(start, $"{ServiceErrors.InternalError}:{error.Message}");
            throw;
        }
        Count(start, failure);
    }

    /// <summary>Handles a request with a handler that sends the reply itself.</summary>
    public async ValueTask HandleAsync<TRequest>(
        NatsMessage<TRequest> request, Func<NatsMessage<TRequest>, CancellationToken, ValueTask<string?>> handler, CancellationToken ct)
    {
        var start = time.GetTimestamp();
        try
        {
            Count(start, await handler(request, ct).ConfigureAwait(false));
        }
        catch (Exception error)
        {
            Count(start, $"{ServiceErrors.InternalError}:{error.Message}");
            throw;
        }
    }

    private static async ValueTask<string> RejectAsync<T>(NatsMessage<T> request, int code, string description)
    {
        if (request.ExpectsReply) await request.ReplyAsync(ServiceErrors.ToHeaders(code, description), CancellationToken.None).ConfigureAwait(false);
        return $"{code}:{description}";
    }

    private void Count(long start, string? failure)
    {
        var elapsed = time.GetElapsedTime(start).Ticks;
        lock (_gate)
        {
            _requests++;
            _ticks += elapsed;
            if (failure is null) return;
            _errors++;
            _lastError = failure;
        }
    }
}

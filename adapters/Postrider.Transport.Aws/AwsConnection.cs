using System.Collections.Concurrent;
using Amazon.Runtime;
using Amazon.Runtime.Credentials;
using Amazon.SQS;
using Amazon.SQS.Model;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.Aws;

/// <summary>The clients of the services, and how their requests are repeated.</summary>
/// <remarks>Thread-safe. Nothing is connected before the first request.</remarks>
internal sealed partial class AwsConnection : IDisposable
{
    private const int MaxKnownQueues = 1_000;

    private readonly ConcurrentDictionary<string, string> _queues = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _disposed = new();
    private readonly ILogger _logger;
    private readonly Lazy<AmazonSQSClient> _sqs;
    private readonly Lazy<SignedHttp> _http;
    private string? _account;
    private int _logged;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: no region is named anywhere.</exception>
    internal AwsConnection(AwsOptions options, ILogger logger, TimeProvider time)
    {
        (Options, _logger, Time) = (options, logger, time);
        Region = new(options);
        Service = options.Endpoint is { } endpoint ? $"{endpoint.Host}:{endpoint.Port}" : $"AWS in {Region.Name}";
        _sqs = new(() => new(CredentialsOf(options), Config()));
        _http = new(() => new SignedHttp(options, Region, CredentialsOf(options), time));
        Unconfirmed = new(options.Throughput.MaxUnconfirmed);
        Sns = new(this);
        Events = new(this);
    }

    internal AwsOptions Options { get; }

    internal AwsRegion Region { get; }

    internal TimeProvider Time { get; }

    internal ILogger Logger => _logger;

    /// <summary>The destination of requests, as text.</summary>
    internal string Service { get; }

    internal bool IsDisposed => _disposed.IsCancellationRequested;

    /// <summary>A slot for each message that waits for its confirmation.</summary>
    internal SemaphoreSlim Unconfirmed { get; }

    internal IAmazonSQS Sqs => _sqs.Value;

    internal SignedHttp Http => _http.Value;

    internal SnsApi Sns { get; }

    internal EventBridgeApi Events { get; }

    /// <summary>Makes a request and repeats it while its failures are transient.</summary>
    /// <param name="destination">The queue, topic or bus, for errors.</param>
    /// <param name="call">The request.</param>
    /// <param name="ct">Cancels it.</param>
    /// <exception cref="PostriderException">The service rejects it: see <see cref="AwsErrors.Translate"/>.</exception>
    /// <exception cref="TimeoutException">The service did not respond in any attempt.</exception>
    internal async ValueTask<T> CallAsync<T>(string destination, Func<CancellationToken, Task<T>> call, CancellationToken ct)
    {
        var policy = Options.Retry.Policy;
        var pause = TimeSpan.Zero;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await OnceAsync(call, ct).ConfigureAwait(false);
            }
            catch (Exception error) when (!ct.IsCancellationRequested)
            {
                if (IsDisposed || !policy.TryPlan(error, attempt, pause, out pause))
                    throw AwsErrors.Translate(error, destination, Service);
                LogRepeated(destination, attempt, 1, error);
            }

            await Task.Delay(pause, Time, ct).ConfigureAwait(false);
        }
    }

    /// <summary>Makes a request once, within the time limit of an attempt.</summary>
    /// <param name="call">The request.</param>
    /// <param name="ct">Cancels it.</param>
    /// <param name="extra">The additional time that the service itself waits.</param>
    internal async Task<T> OnceAsync<T>(Func<CancellationToken, Task<T>> call, CancellationToken ct, TimeSpan extra = default)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        if (Options.Observability.LogProfiles && Interlocked.Exchange(ref _logged, 1) == 0)
            LogProfiles(_logger, Service, Options.QueueType, Options.Throughput, Options.Retry, Options.Poison, Options.Observability);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(Options.Retry.RequestTimeout + extra);
        try
        {
            return await call(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException late) when (!ct.IsCancellationRequested)
        {
            throw new TimeoutException($"There was no response within {Options.Retry.RequestTimeout + extra}.", late);
        }
    }

    /// <summary>Waits before another attempt.</summary>
    /// <returns>False if the transport was disposed in the meantime.</returns>
    internal async ValueTask<bool> PauseAsync(TimeSpan pause)
    {
        try
        {
            await Task.Delay(pause, Time, _disposed.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    /// <summary>The address of a queue.</summary>
    /// <exception cref="QueueDoesNotExistException">The queue does not exist.</exception>
    internal async Task<string> QueueUrlAsync(string queue, CancellationToken ct)
    {
        if (_queues.TryGetValue(queue, out var known))
            return known;
        var answer = await Sqs.GetQueueUrlAsync(new GetQueueUrlRequest { QueueName = queue, QueueOwnerAWSAccountId = Options.AccountId }, ct).ConfigureAwait(false);
        if (_queues.Count >= MaxKnownQueues)
            _queues.Clear();
        return _queues[queue] = answer.QueueUrl;
    }

    /// <summary>Removes the cached address of a queue that was deleted, so that it is requested again.</summary>
    internal void Forget(string queue) => _queues.TryRemove(queue, out _);

    /// <summary>The account that owns queues and topics.</summary>
    internal async Task<string> AccountAsync(CancellationToken ct)
        => _account ??= Options.AccountId ?? await CallAsync("the account", AskAccountAsync, ct).ConfigureAwait(false);

    internal void LogRepeated(string destination, int attempt, int count, Exception error) => LogRepeatedCore(_logger, destination, attempt, count, error);

    public void Dispose()
    {
        if (IsDisposed)
            return;
        _disposed.Cancel();
        if (_sqs.IsValueCreated)
            _sqs.Value.Dispose();
        if (_http.IsValueCreated)
            _http.Value.Dispose();
    }

    private async Task<string> AskAccountAsync(CancellationToken ct)
    {
        var answer = await Http.PostAsync("sts", SnsApi.Form, target: null, "Action=GetCallerIdentity&Version=2011-06-15"u8.ToArray(), ct).ConfigureAwait(false);
        return AwsErrorText.All(AwsErrorText.Parse(answer), "Account").First().Value;
    }

    private static AWSCredentials CredentialsOf(AwsOptions options) => options switch
    {
        { Credentials: { } given } => given,
        { AccessKey: { } key, SecretKey: { } secret, SessionToken: { } token } => new SessionAWSCredentials(key, secret, token),
        { AccessKey: { } key, SecretKey: { } secret } => new BasicAWSCredentials(key, secret),
        _ => DefaultAWSCredentialsIdentityResolver.GetCredentials(),
    };

    private AmazonSQSConfig Config()
    {
        // One repetition by the SDK itself corrects a clock that differs from the service's.
        var config = new AmazonSQSConfig { MaxErrorRetry = 1, Timeout = Options.Retry.RequestTimeout + Options.Throughput.PollWait };
        if (Options.Endpoint is { } endpoint)
            (config.ServiceURL, config.AuthenticationRegion) = (endpoint.ToString(), Region.Name);
        else
            config.RegionEndpoint = Amazon.RegionEndpoint.GetBySystemName(Region.Name);
        return config;
    }

    [LoggerMessage(1, LogLevel.Information, "Using {Service} with {QueueType} queues. Effective profiles: {Throughput}; {Retry}; {Poison}; {Observability}.")]
    private static partial void LogProfiles(ILogger logger, string service, AwsQueueType queueType, AwsThroughput throughput, AwsRetry retry, AwsPoison poison, AwsObservability observability);

    [LoggerMessage(2, LogLevel.Warning, "A request to '{Destination}' failed (attempt {Attempt}, {Count} messages) and will be repeated.")]
    private static partial void LogRepeatedCore(ILogger logger, string destination, int attempt, int count, Exception error);
}

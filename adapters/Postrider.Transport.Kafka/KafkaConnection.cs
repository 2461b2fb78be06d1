using System.Collections.Concurrent;
using Confluent.Kafka;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.Kafka;

/// <summary>The producer, the log and the account's state, shared by the senders and listeners of a transport.</summary>
/// <remarks>Thread-safe. The producer is created when it is first needed, and again after an error that ends it.</remarks>
internal sealed partial class KafkaConnection(KafkaOptions options, ILogger logger, TimeProvider time) : IAsyncDisposable
{
    private static readonly TimeSpan s_logPause = TimeSpan.FromMinutes(1);

    private readonly Lock _creating = new(); // guards _producer
    private readonly ConcurrentDictionary<string, DateTimeOffset> _logged = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _ended = new();
    private IProducer<byte[]?, byte[]>? _producer;
    private volatile bool _disposed;
    private volatile Error? _rejection;

    internal KafkaOptions Options => options;

    internal ILogger Logger => logger;

    internal TimeProvider Time => time;

    internal string Servers => options.Servers;

    internal bool IsDisposed => _disposed;

    /// <summary>Cancelled when no send will be confirmed any more.</summary>
    internal CancellationToken Ended => _ended.Token;

    /// <summary>The last error with which a server rejected the account or its certificate was not trusted; null if none did since it was
    /// last accepted.</summary>
    internal Error? Rejection => _rejection;

    /// <summary>The producer that all senders share.</summary>
    internal IProducer<byte[]?, byte[]> Producer
    {
        get
        {
            lock (_creating)
            {
                ObjectDisposedException.ThrowIf(_disposed, typeof(KafkaTransport));
                return _producer ??= CreateProducer();
            }
        }
    }

    internal PostriderException Rejected(Error error, Exception cause)
        => new(PostriderError.Configuration, $"Kafka at {Servers} rejects the account or the connection is not trusted ({error.Reason}). Check {nameof(options.Security)} in {options.Place} ({options.Security}), and the permissions of the account.", cause);

    /// <summary>Creates a consumer whose log and errors are handled like those of the producer.</summary>
    internal ConsumerBuilder<byte[]?, byte[]?> ConsumerOf(ConsumerConfig settings)
        => new ConsumerBuilder<byte[]?, byte[]?>(settings).SetErrorHandler((_, error) => OnError(error)).SetLogHandler((_, line) => OnLog(line));

    /// <summary>Requests the metadata of a topic.</summary>
    /// <param name="topic">The topic; null for the servers alone.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: they reject the account.</exception>
    /// <exception cref="TimeoutException">The servers do not respond.</exception>
    internal async ValueTask<Metadata> AskAsync(string? topic, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var limit = options.Observability.ProbeTimeout;
        using var admin = new DependentAdminClientBuilder(Producer.Handle).Build();
        try
        {
            // The call blocks its thread until the response or the time limit.
            var metadata = await Task.Run(() => topic is null ? admin.GetMetadata(limit) : admin.GetMetadata(topic, limit), CancellationToken.None).WaitAsync(ct).ConfigureAwait(false);
            _rejection = null;
            return metadata;
        }
        catch (KafkaException failure) when (KafkaErrors.IsRejected(failure.Error.Code) || _rejection is not null)
        {
            throw Rejected(_rejection ?? failure.Error, failure);
        }
        catch (KafkaException silent)
        {
            throw new TimeoutException($"Kafka at {Servers} did not answer within {limit}: {silent.Error.Reason.TrimEnd('.')}. Check {nameof(options.Servers)} in {options.Place}, and that the servers run.", silent);
        }
    }

    /// <summary>Replaces a producer that an error has ended.</summary>
    internal void Renew(IProducer<byte[]?, byte[]> ended)
    {
        lock (_creating)
        {
            if (!ReferenceEquals(_producer, ended))
                return;
            _producer = null;
        }

        // Not on the calling thread, which may be the client's own: disposing waits for it.
        _ = Task.Run(ended.Dispose);
    }

    public async ValueTask DisposeAsync()
    {
        IProducer<byte[]?, byte[]>? producer;
        lock (_creating)
        {
            _disposed = true;
            (producer, _producer) = (_producer, null);
        }

        if (producer is not null)
        {
            await Task.Run(() =>
            {
                // Disposing alone would drop unsent messages.
                producer.Flush(options.Retry.FlushTimeout);
                producer.Dispose();
            }).ConfigureAwait(false);
        }

        // The client reports nothing about the rest.
        await _ended.CancelAsync().ConfigureAwait(false);
    }

    private IProducer<byte[]?, byte[]> CreateProducer()
    {
        try
        {
            var producer = new ProducerBuilder<byte[]?, byte[]>(KafkaSettings.Producer(options))
                .SetErrorHandler((_, error) => OnError(error)).SetLogHandler((_, line) => OnLog(line)).Build();
            if (options.Observability.LogProfiles)
                LogProfiles(logger, options.IsEventHubs ? "Event Hubs" : "Kafka", Servers, options.Throughput, options.Retry, options.Poison, options.Observability);
            return producer;
        }
        catch (InvalidOperationException refused)
        {
            throw new PostriderException(PostriderError.Configuration, $"The options of the Kafka transport contradict each other: {refused.Message}", refused);
        }
    }

    private void OnError(Error error)
    {
        if (KafkaErrors.IsRejected(error.Code))
            _rejection = error;
        if (MayLog(error.Code.ToString()))
            LogError(logger, Servers, error.Code, error.Reason);
    }

    // The client logs the same error at each attempt to connect.
    private void OnLog(LogMessage line)
    {
        if (line.Level <= SyslogLevel.Warning && MayLog(line.Facility))
            LogClient(logger, line.Facility, line.Message);
        else
            LogClientDetail(logger, line.Facility, line.Message);
    }

    private bool MayLog(string kind)
    {
        var now = time.GetUtcNow();
        if (_logged.TryGetValue(kind, out var last) && now - last < s_logPause)
            return false;
        _logged[kind] = now;
        return true;
    }

    [LoggerMessage(1, LogLevel.Information, "{Service} at {Servers}. Effective profiles: {Throughput}; {Retry}; {Poison}; {Observability}.")]
    private static partial void LogProfiles(ILogger logger, string service, string servers, KafkaThroughput throughput, KafkaRetry retry, KafkaPoison poison, KafkaObservability observability);

    [LoggerMessage(2, LogLevel.Warning, "Kafka at {Servers}: {Code}, {Reason} The same error is logged once a minute at most.")]
    private static partial void LogError(ILogger logger, string servers, ErrorCode code, string reason);

    [LoggerMessage(3, LogLevel.Warning, "Kafka's client, {Facility}: {Message}")]
    private static partial void LogClient(ILogger logger, string facility, string message);

    [LoggerMessage(4, LogLevel.Debug, "Kafka's client, {Facility}: {Message}")]
    private static partial void LogClientDetail(ILogger logger, string facility, string message);
}

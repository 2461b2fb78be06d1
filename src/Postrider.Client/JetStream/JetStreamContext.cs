using System.Buffers;
using System.Runtime.CompilerServices;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Client.JetStream.Publishing;
using Postrider.Client.Requests;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.JetStream;

/// <summary>Creates a context for JetStream: streams, consumers, and publishes that are acknowledged when they are stored.</summary>
/// <remarks>
/// Thread-safe and cheap; create it with <see cref="NatsClient.CreateJetStreamContext"/>. It works with a single server and with a cluster;
/// only the address differs. Errors of the server are thrown as <see cref="JetStreamException"/> with their error code.
/// Source: JetStream API.
/// </remarks>
public sealed class JetStreamContext
{
    private readonly PubAckSerializer _acks = new();

    internal JetStreamContext(NatsSession session, Requester requester, JetStreamOptions options)
    {
        options.Check();
        Options = options;
        Api = new ApiClient(session, requester, options.Prefix, options.Timeout ?? session.Options.RequestTimeout);
    }

    /// <summary>The options of the context.</summary>
    public JetStreamOptions Options { get; }

    internal ApiClient Api { get; }

    /// <summary>Gets the usage and limits of the account.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The current state.</returns>
    /// <exception cref="NatsClientException">JetStream is not available: <see cref="NatsErrorCode.JetStreamUnavailable"/>.</exception>
    public Task<AccountInfo> GetAccountInfoAsync(CancellationToken ct = default) => Api.CallAsync("INFO", JetStreamJson.Default.AccountInfo, ct);

    /// <summary>Creates a stream, or returns the existing one if it has the same configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">One with a different configuration already exists (<see cref="JetStreamErrors.StreamNameInUse"/>), or the server rejects the configuration.</exception>
    public async Task<JetStreamStream> CreateStreamAsync(StreamConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return new JetStreamStream(Api, await StreamApi.CreateAsync(Api, config, ct).ConfigureAwait(false));
    }

    /// <summary>Updates an existing stream.</summary>
    /// <param name="config">The whole new configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">It does not exist, or the server rejects the change.</exception>
    public async Task<JetStreamStream> UpdateStreamAsync(StreamConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return new JetStreamStream(Api, await StreamApi.UpdateAsync(Api, config, ct).ConfigureAwait(false));
    }

    /// <summary>Updates a stream, or creates it if it does not exist.</summary>
    /// <param name="config">The whole configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">The server rejects the configuration.</exception>
    public async Task<JetStreamStream> CreateOrUpdateStreamAsync(StreamConfig config, CancellationToken ct = default)
    {
        try
        {
            return await UpdateStreamAsync(config, ct).ConfigureAwait(false);
        }
        catch (JetStreamException none) when (none.ErrorCode == JetStreamErrors.StreamNotFound)
        {
            return await CreateStreamAsync(config, ct).ConfigureAwait(false);
        }
    }

    /// <summary>Finds a stream.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="details">Additional details to request; null for none.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">It does not exist: <see cref="JetStreamErrors.StreamNotFound"/>.</exception>
    public async Task<JetStreamStream> GetStreamAsync(string name, StreamDetails? details = null, CancellationToken ct = default)
        => new(Api, await StreamApi.GetAsync(Api, name, details, ct).ConfigureAwait(false));

    /// <summary>Finds the stream that has a subject.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>Its name, or null when there is none.</returns>
    public async Task<string?> FindStreamNameAsync(string subject, CancellationToken ct = default)
    {
        await foreach (var name in ListStreamNamesAsync(subject, ct).ConfigureAwait(false)) return name;
        return null;
    }

    /// <summary>Deletes a stream with everything in it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when it is deleted.</returns>
    /// <exception cref="JetStreamException">It does not exist.</exception>
    public Task DeleteStreamAsync(string name, CancellationToken ct = default) => StreamApi.DeleteAsync(Api, name, ct);

    /// <summary>Purges messages of a stream.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="purge">Which messages; null for all.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The number of purged messages.</returns>
    public Task<ulong> PurgeStreamAsync(string name, StreamPurge? purge = null, CancellationToken ct = default) => StreamApi.PurgeAsync(Api, name, purge, ct);

    /// <summary>Lists the streams.</summary>
    /// <param name="subject">Only streams with this subject; null for all.</param>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The items; pages are requested while they are read.</returns>
    public IAsyncEnumerable<StreamInfo> ListStreamsAsync(string? subject = null, CancellationToken ct = default) => StreamApi.ListAsync(Api, subject, ct);

    /// <summary>Lists the names of the streams.</summary>
    /// <param name="subject">Only streams with this subject; null for all.</param>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The items; pages are requested while they are read.</returns>
    public IAsyncEnumerable<string> ListStreamNamesAsync(string? subject = null, CancellationToken ct = default) => StreamApi.ListNamesAsync(Api, subject, ct);

    /// <summary>Restores a stream from a backup.</summary>
    /// <param name="backup">The result of <see cref="JetStreamStream.BackupAsync"/>; with another name another stream is created.</param>
    /// <param name="source">The bytes that it wrote.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">The stream already exists, or the bytes are damaged.</exception>
    public async Task<JetStreamStream> RestoreStreamAsync(StreamBackup backup, Stream source, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(backup);
        return new JetStreamStream(Api, await StreamBackups.ReadAsync(Api, backup, source, ct).ConfigureAwait(false));
    }

    /// <summary>Creates a consumer, or returns the existing one if it has the same configuration.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">One with a different configuration already exists, or the server rejects the configuration.</exception>
    public async Task<JetStreamConsumer> CreateConsumerAsync(string stream, ConsumerConfig config, CancellationToken ct = default)
        => new(Api, await ConsumerApi.CreateAsync(Api, stream, config, ConsumerApi.Create, ct).ConfigureAwait(false));

    /// <summary>Creates a consumer, or updates the existing one.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">The server rejects the configuration.</exception>
    public async Task<JetStreamConsumer> CreateOrUpdateConsumerAsync(string stream, ConsumerConfig config, CancellationToken ct = default)
        => new(Api, await ConsumerApi.CreateAsync(Api, stream, config, null, ct).ConfigureAwait(false));

    /// <summary>Finds a consumer.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">It does not exist: <see cref="JetStreamErrors.ConsumerNotFound"/>.</exception>
    public async Task<JetStreamConsumer> GetConsumerAsync(string stream, string name, CancellationToken ct = default)
        => new(Api, await ConsumerApi.GetAsync(Api, stream, name, ct).ConfigureAwait(false));

    /// <summary>Deletes a consumer.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when it is deleted.</returns>
    /// <exception cref="JetStreamException">It does not exist.</exception>
    public Task DeleteConsumerAsync(string stream, string name, CancellationToken ct = default) => ConsumerApi.DeleteAsync(Api, stream, name, ct);

    /// <summary>Reads a stream in order.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="options">What to read and where to start; null for everything from the beginning.</param>
    /// <returns>A consumer; nothing is sent until it is read.</returns>
    public OrderedConsumer CreateOrderedConsumer(string stream, OrderedConsumerOptions? options = null) => new(Api, stream, options ?? new OrderedConsumerOptions());

    /// <summary>Publishes a value and waits until a stream has stored it.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="subject">A subject of a stream.</param>
    /// <param name="data">The value; null for an empty payload.</param>
    /// <param name="options">The message id and the expectations that the stream checks; null for none.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait; the message may still be stored.</param>
    /// <returns>The acknowledgement. Await it once.</returns>
    /// <exception cref="JetStreamException">The stream rejected the message.</exception>
    /// <exception cref="NatsClientException">No stream listens there (<see cref="NatsErrorCode.JetStreamUnavailable"/>), no
    /// acknowledgement in time (<see cref="NatsErrorCode.RequestTimeout"/>), or as a publish.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<PublishAck> PublishAsync<T>(
        string subject, T data, PublishOptions? options = null, NatsHeaders? headers = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        var all = options is null ? headers : options.AddTo(headers);
        var retries = options?.Retries ?? Options.PublishRetries;
        // Rented memory is returned by the first publish.
        if (typeof(T) == typeof(IMemoryOwner<byte>)) retries = 0;
        while (true)
        {
            try
            {
                var message = await Api.Requester.RequestAsync(subject, data, options?.AckTimeout ?? Api.Timeout, all, serializer, _acks, ct).ConfigureAwait(false);
                var reply = message.Data;
                return reply.Error is null ? reply.Ack : throw reply.ToException(subject);
            }
            catch (NatsClientException passing) when (IsPassing(passing) && retries-- > 0)
            {
                await Task.Delay(options?.RetryDelay ?? Options.PublishRetryDelay, Api.Session.Options.TimeProvider, ct).ConfigureAwait(false);
            }
            catch (NatsNoRespondersException error)
            {
                throw new NatsClientException(NatsErrorCode.JetStreamUnavailable, $"No stream responds on '{subject}': no stream has that subject, or the stream has no leader.", error);
            }
        }
    }

    /// <summary>Creates a publisher that does not wait for each acknowledgement: a bounded number of messages is in flight.</summary>
    /// <param name="options">The limit, and the treatment of failures; null for the defaults.</param>
    /// <returns>A publisher with its own inbox; dispose it after use.</returns>
    public JetStreamPublisher CreatePublisher(PublisherOptions? options = null)
        => new(Api.Session, options ?? new PublisherOptions(), Api.Timeout, Options.PublishRetries, Options.PublishRetryDelay);

    /// <summary>Creates a batch of messages that a stream stores atomically. Requires nats-server 2.12.</summary>
    /// <returns>An empty batch.</returns>
    public AtomicBatch CreateBatch() => new(Api);

    // The stream has no leader at the moment; or an earlier attempt is being stored, and a later reply has its sequence.
    private static bool IsPassing(NatsClientException error)
        => error is NatsNoRespondersException or JetStreamException { ErrorCode: JetStreamErrors.DuplicateInProcess };
}

using System.Buffers;
using System.Runtime.CompilerServices;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Client.JetStream.Publishing;
using Postrider.Client.Requests;
using Postrider.Client.Sessions;

namespace Postrider.Client.JetStream;

/// <summary>Durable messaging: streams, consumers, and publishes that are acknowledged when they are stored.</summary>
/// <remarks>
/// Thread-safe and cheap; get it from <see cref="NatsClient.JetStream"/>. It works with a single server and with a cluster;
/// nothing but the address differs. What the server refuses is a <see cref="JetStreamException"/> with its number.
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

    /// <summary>The options the context was made with.</summary>
    public JetStreamOptions Options { get; }

    internal ApiClient Api { get; }

    /// <summary>What the account uses and may use.</summary>
    /// <param name="ct">Gives up.</param>
    /// <returns>As of now.</returns>
    /// <exception cref="NatsClientException">There is no JetStream: <see cref="NatsErrorCode.JetStreamUnavailable"/>.</exception>
    public Task<AccountInfo> GetAccountInfoAsync(CancellationToken ct = default) => Api.CallAsync("INFO", JetStreamJson.Default.AccountInfo, ct);

    /// <summary>Creates a stream, or finds the one that is the same.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">One with another configuration is there already (<see cref="JetStreamErrors.StreamNameInUse"/>), or the server refuses this one.</exception>
    public async Task<JetStreamStream> CreateStreamAsync(StreamConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return new JetStreamStream(Api, await StreamApi.CreateAsync(Api, config, ct).ConfigureAwait(false));
    }

    /// <summary>Changes a stream that is there.</summary>
    /// <param name="config">The whole new configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">It is not there, or the server refuses the change.</exception>
    public async Task<JetStreamStream> UpdateStreamAsync(StreamConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return new JetStreamStream(Api, await StreamApi.UpdateAsync(Api, config, ct).ConfigureAwait(false));
    }

    /// <summary>Changes a stream, or creates it when it is not there.</summary>
    /// <param name="config">The whole configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">The server refuses it.</exception>
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
    /// <param name="details">What else to ask for; null for nothing.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">There is none: <see cref="JetStreamErrors.StreamNotFound"/>.</exception>
    public async Task<JetStreamStream> GetStreamAsync(string name, StreamDetails? details = null, CancellationToken ct = default)
        => new(Api, await StreamApi.GetAsync(Api, name, details, ct).ConfigureAwait(false));

    /// <summary>Finds the stream that listens to a subject.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>Its name, or null when there is none.</returns>
    public async Task<string?> FindStreamNameAsync(string subject, CancellationToken ct = default)
    {
        await foreach (var name in ListStreamNamesAsync(subject, ct).ConfigureAwait(false)) return name;
        return null;
    }

    /// <summary>Deletes a stream with everything in it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when it is gone.</returns>
    /// <exception cref="JetStreamException">It was not there.</exception>
    public Task DeleteStreamAsync(string name, CancellationToken ct = default) => StreamApi.DeleteAsync(Api, name, ct);

    /// <summary>Takes messages out of a stream.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="purge">Which; null for all.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>How many.</returns>
    public Task<ulong> PurgeStreamAsync(string name, StreamPurge? purge = null, CancellationToken ct = default) => StreamApi.PurgeAsync(Api, name, purge, ct);

    /// <summary>Every stream.</summary>
    /// <param name="subject">Only those that listen to it; null for all.</param>
    /// <param name="ct">Stops.</param>
    /// <returns>In pages, as they are read.</returns>
    public IAsyncEnumerable<StreamInfo> ListStreamsAsync(string? subject = null, CancellationToken ct = default) => StreamApi.ListAsync(Api, subject, ct);

    /// <summary>Every stream's name.</summary>
    /// <param name="subject">Only those that listen to it; null for all.</param>
    /// <param name="ct">Stops.</param>
    /// <returns>In pages, as they are read.</returns>
    public IAsyncEnumerable<string> ListStreamNamesAsync(string? subject = null, CancellationToken ct = default) => StreamApi.ListNamesAsync(Api, subject, ct);

    /// <summary>Makes a stream of a backup.</summary>
    /// <param name="backup">What <see cref="JetStreamStream.BackupAsync"/> returned; another name makes another stream.</param>
    /// <param name="source">The bytes it wrote.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="JetStreamException">The stream is there already, or the bytes are damaged.</exception>
    public async Task<JetStreamStream> RestoreStreamAsync(StreamBackup backup, Stream source, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(backup);
        return new JetStreamStream(Api, await StreamBackups.ReadAsync(Api, backup, source, ct).ConfigureAwait(false));
    }

    /// <summary>Creates a consumer, or finds the one that is the same.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">One with another configuration is there already, or the server refuses this one.</exception>
    public async Task<JetStreamConsumer> CreateConsumerAsync(string stream, ConsumerConfig config, CancellationToken ct = default)
        => new(Api, await ConsumerApi.CreateAsync(Api, stream, config, ConsumerApi.Create, ct).ConfigureAwait(false));

    /// <summary>Creates a consumer, or changes the one that is there.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">The server refuses it.</exception>
    public async Task<JetStreamConsumer> CreateOrUpdateConsumerAsync(string stream, ConsumerConfig config, CancellationToken ct = default)
        => new(Api, await ConsumerApi.CreateAsync(Api, stream, config, null, ct).ConfigureAwait(false));

    /// <summary>Finds a consumer.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">There is none: <see cref="JetStreamErrors.ConsumerNotFound"/>.</exception>
    public async Task<JetStreamConsumer> GetConsumerAsync(string stream, string name, CancellationToken ct = default)
        => new(Api, await ConsumerApi.GetAsync(Api, stream, name, ct).ConfigureAwait(false));

    /// <summary>Deletes a consumer.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when it is gone.</returns>
    /// <exception cref="JetStreamException">It was not there.</exception>
    public Task DeleteConsumerAsync(string stream, string name, CancellationToken ct = default) => ConsumerApi.DeleteAsync(Api, stream, name, ct);

    /// <summary>Reads a stream in order.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="options">What, and from where; null for everything from the beginning.</param>
    /// <returns>A reader; nothing is sent before it is read from.</returns>
    public OrderedConsumer CreateOrderedConsumer(string stream, OrderedConsumerOptions? options = null) => new(Api, stream, options ?? new OrderedConsumerOptions());

    /// <summary>Publishes a value and waits until a stream has stored it.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="subject">A subject that a stream listens to.</param>
    /// <param name="data">The value; null is an empty payload.</param>
    /// <param name="options">Its id and what the stream must check; null for nothing.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <param name="ct">Gives up waiting; the message may be stored all the same.</param>
    /// <returns>Where it is stored. Await it once.</returns>
    /// <exception cref="JetStreamException">The stream refused the message.</exception>
    /// <exception cref="NatsClientException">No stream listens there (<see cref="NatsErrorCode.JetStreamUnavailable"/>), no
    /// acknowledgement in time (<see cref="NatsErrorCode.RequestTimeout"/>), or as a publish.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<PublishAck> PublishAsync<T>(
        string subject, T data, PublishOptions? options = null, NatsHeaders? headers = null, IPayloadSerializer<T>? serializer = null, CancellationToken ct = default)
    {
        var all = options is null ? headers : options.AddTo(headers);
        var retries = options?.Retries ?? Options.PublishRetries;
        // Rented memory is given back by its first publish.
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
            catch (NatsNoRespondersException nobody)
            {
                throw new NatsClientException(NatsErrorCode.JetStreamUnavailable, $"No stream responds on '{subject}': no stream has that subject, or the stream has no leader.", nobody);
            }
        }
    }

    /// <summary>Publishes many messages without waiting for each: a bounded number is on its way at once.</summary>
    /// <param name="options">How many, and what happens to those that fail; null for the defaults.</param>
    /// <returns>A publisher with an inbox of its own; dispose it to end.</returns>
    public JetStreamPublisher CreatePublisher(PublisherOptions? options = null)
        => new(Api.Session, options ?? new PublisherOptions(), Api.Timeout, Options.PublishRetries, Options.PublishRetryDelay);

    /// <summary>Begins messages that one stream stores all together or not at all. From nats-server 2.12.</summary>
    /// <returns>An empty batch.</returns>
    public AtomicBatch CreateBatch() => new(Api);

    // Nobody leads the stream right now; or what was sent before is on its way, and a later answer says where it is stored.
    private static bool IsPassing(NatsClientException error)
        => error is NatsNoRespondersException or JetStreamException { ErrorCode: JetStreamErrors.DuplicateInProcess };
}

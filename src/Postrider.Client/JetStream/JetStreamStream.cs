using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;

namespace Postrider.Client.JetStream;

/// <summary>A stream: its messages and consumers.</summary>
/// <remarks>Thread-safe. This is a handle: the stream exists on the server.</remarks>
public sealed class JetStreamStream
{
    private readonly ApiClient _api;

    internal JetStreamStream(ApiClient api, StreamInfo info)
    {
        _api = api;
        Info = info;
    }

    /// <summary>The name.</summary>
    public string Name => Info.Config.Name;

    /// <summary>The last information from the server, from the creation of the handle or from <see cref="RefreshAsync"/>.</summary>
    public StreamInfo Info { get; private set; }

    /// <summary>Requests the current information from the server.</summary>
    /// <param name="details">Additional details to request; null for none.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The new <see cref="Info"/>.</returns>
    /// <exception cref="JetStreamException">It no longer exists: <see cref="JetStreamErrors.StreamNotFound"/>.</exception>
    public async Task<StreamInfo> RefreshAsync(StreamDetails? details = null, CancellationToken ct = default)
        => Info = await StreamApi.GetAsync(_api, Name, details, ct).ConfigureAwait(false);

    /// <summary>Changes the configuration.</summary>
    /// <param name="config">The whole new configuration; start from <c>Info.Config with { … }</c>.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The new <see cref="Info"/>.</returns>
    /// <exception cref="JetStreamException">The server rejects the change.</exception>
    public async Task<StreamInfo> UpdateAsync(StreamConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Info = await StreamApi.UpdateAsync(_api, config with { Name = Name }, ct).ConfigureAwait(false);
    }

    /// <summary>Deletes the stream with everything in it.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when it is deleted.</returns>
    public Task DeleteAsync(CancellationToken ct = default) => StreamApi.DeleteAsync(_api, Name, ct);

    /// <summary>Purges messages.</summary>
    /// <param name="purge">Which messages; null for all.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The number of purged messages.</returns>
    /// <exception cref="JetStreamException">The stream does not allow it.</exception>
    public Task<ulong> PurgeAsync(StreamPurge? purge = null, CancellationToken ct = default) => StreamApi.PurgeAsync(_api, Name, purge, ct);

    /// <summary>Gets a message by its sequence.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="sequence">The sequence.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The message, or null if there is none.</returns>
    public Task<StoredMessage<T>?> GetMessageAsync<T>(ulong sequence, Serializer<T>? serializer = null, CancellationToken ct = default)
        => GetAsync(new MessageGetRequest { Sequence = sequence }, serializer, ct);

    /// <summary>Gets the last message of a subject.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The message, or null if there is none.</returns>
    public Task<StoredMessage<T>?> GetLastMessageAsync<T>(string subject, Serializer<T>? serializer = null, CancellationToken ct = default)
        => Info.Config.AllowDirect
            ? MessageGetApi.GetLastDirectAsync(_api, Name, subject, Serializer(serializer), ct)
            : GetAsync(new MessageGetRequest { LastBySubject = subject }, serializer, ct);

    /// <summary>Gets the first message of a subject at or after a sequence.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="fromSequence">The sequence.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The message, or null if there is none.</returns>
    public Task<StoredMessage<T>?> GetNextMessageAsync<T>(string subject, ulong fromSequence, Serializer<T>? serializer = null, CancellationToken ct = default)
        => GetAsync(new MessageGetRequest { NextBySubject = subject, Sequence = fromSequence }, serializer, ct);

    /// <summary>Gets several messages with one request. The stream must allow direct gets.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="fromSequence">The first sequence.</param>
    /// <param name="maxMessages">The maximum number of messages.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The messages in order.</returns>
    public IAsyncEnumerable<StoredMessage<T>> GetMessagesAsync<T>(
        string subject, ulong fromSequence, int maxMessages, Serializer<T>? serializer = null, CancellationToken ct = default)
        => MessageGetApi.GetManyAsync(
            _api, Name, new MessageGetRequest { NextBySubject = subject, Sequence = fromSequence, Batch = maxMessages }, Serializer(serializer), ct);

    /// <summary>Gets the last messages of several subjects with one request, all as of the same moment. The stream must allow direct gets.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="subjects">The subjects, with or without wildcards; at most 1024 may match.</param>
    /// <param name="upToSequence">As of this sequence; 0 for now.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The messages in order.</returns>
    public IAsyncEnumerable<StoredMessage<T>> GetLastMessagesAsync<T>(
        IReadOnlyList<string> subjects, ulong upToSequence = 0, Serializer<T>? serializer = null, CancellationToken ct = default)
        => MessageGetApi.GetManyAsync(_api, Name, new MessageGetRequest { MultiLast = subjects, UpToSequence = upToSequence }, Serializer(serializer), ct);

    /// <summary>Deletes a message.</summary>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="erase">Whether its bytes are also overwritten, which takes longer.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when it is deleted.</returns>
    /// <exception cref="JetStreamException">It does not exist, or the stream does not allow it.</exception>
    public Task DeleteMessageAsync(ulong sequence, bool erase = false, CancellationToken ct = default)
        => _api.CallAsync(
            $"STREAM.MSG.DELETE.{Name}", new MessageDeleteRequest { Sequence = sequence, NoErase = !erase }, JetStreamJson.Default.MessageDeleteRequest, JetStreamJson.Default.SuccessReply, ct);

    /// <summary>Creates a consumer, or returns the existing one if it has the same configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">One with a different configuration already exists, or the server rejects the configuration.</exception>
    public async Task<JetStreamConsumer> CreateConsumerAsync(ConsumerConfig config, CancellationToken ct = default)
        => new(_api, await ConsumerApi.CreateAsync(_api, Name, config, ConsumerApi.Create, ct).ConfigureAwait(false));

    /// <summary>Creates a consumer, or updates the existing one.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">The server rejects the configuration.</exception>
    public async Task<JetStreamConsumer> CreateOrUpdateConsumerAsync(ConsumerConfig config, CancellationToken ct = default)
        => new(_api, await ConsumerApi.CreateAsync(_api, Name, config, null, ct).ConfigureAwait(false));

    /// <summary>Updates an existing consumer.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">It does not exist, or the server rejects the change.</exception>
    public async Task<JetStreamConsumer> UpdateConsumerAsync(ConsumerConfig config, CancellationToken ct = default)
        => new(_api, await ConsumerApi.CreateAsync(_api, Name, config, ConsumerApi.Update, ct).ConfigureAwait(false));

    /// <summary>Finds a consumer.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The consumer.</returns>
    /// <exception cref="JetStreamException">It does not exist: <see cref="JetStreamErrors.ConsumerNotFound"/>.</exception>
    public async Task<JetStreamConsumer> GetConsumerAsync(string name, CancellationToken ct = default)
        => new(_api, await ConsumerApi.GetAsync(_api, Name, name, ct).ConfigureAwait(false));

    /// <summary>Deletes a consumer.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when it is deleted.</returns>
    /// <exception cref="JetStreamException">It does not exist.</exception>
    public Task DeleteConsumerAsync(string name, CancellationToken ct = default) => ConsumerApi.DeleteAsync(_api, Name, name, ct);

    /// <summary>Lists the consumers.</summary>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The items; pages are requested while they are read.</returns>
    public IAsyncEnumerable<ConsumerInfo> ListConsumersAsync(CancellationToken ct = default) => StreamApi.ListConsumersAsync(_api, Name, ct);

    /// <summary>Lists the names of the consumers.</summary>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The items; pages are requested while they are read.</returns>
    public IAsyncEnumerable<string> ListConsumerNamesAsync(CancellationToken ct = default) => StreamApi.ListConsumerNamesAsync(_api, Name, ct);

    /// <summary>Reads the stream in order.</summary>
    /// <param name="options">What to read and where to start; null for everything from the beginning.</param>
    /// <returns>A consumer; nothing is sent until it is read.</returns>
    public OrderedConsumer CreateOrderedConsumer(OrderedConsumerOptions? options = null) => new(_api, Name, options ?? new OrderedConsumerOptions());

    /// <summary>Writes a backup of the stream with its consumers.</summary>
    /// <param name="target">Receives the archive that the server creates.</param>
    /// <param name="checkMessages">Whether the server verifies every message first.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The description of the backup; keep it with the bytes, because <see cref="JetStreamContext.RestoreStreamAsync"/> needs it.</returns>
    /// <exception cref="NatsClientException">The server rejects the request or stops sending.</exception>
    public Task<StreamBackup> BackupAsync(Stream target, bool checkMessages = false, CancellationToken ct = default)
        => StreamBackups.WriteAsync(_api, Name, target, checkMessages, ct);

    private Task<StoredMessage<T>?> GetAsync<T>(MessageGetRequest request, Serializer<T>? serializer, CancellationToken ct)
        => Info.Config.AllowDirect
            ? MessageGetApi.GetDirectAsync(_api, Name, request, Serializer(serializer), ct)
            : MessageGetApi.GetAsync(_api, Name, request, Serializer(serializer), ct);

    private Serializer<T> Serializer<T>(Serializer<T>? given) => given ?? _api.Session.Serializers.Get<T>();
}

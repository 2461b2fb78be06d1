using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.JetStream;

/// <summary>A consumer of a stream, from which messages are read.</summary>
/// <remarks>Thread-safe. This is a handle: the consumer exists on the server, and other clients may use it at the same time.</remarks>
public sealed class JetStreamConsumer
{
    private readonly ApiClient _api;

    internal JetStreamConsumer(ApiClient api, ConsumerInfo info)
    {
        _api = api;
        Info = info;
    }

    /// <summary>Its stream.</summary>
    public string Stream => Info.StreamName;

    /// <summary>The name.</summary>
    public string Name => Info.Name;

    /// <summary>The last information from the server, from the creation of the handle or from <see cref="RefreshAsync"/>.</summary>
    public ConsumerInfo Info { get; private set; }

    /// <summary>Requests the current information from the server.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The new <see cref="Info"/>.</returns>
    /// <exception cref="JetStreamException">It no longer exists: <see cref="JetStreamErrors.ConsumerNotFound"/>.</exception>
    public async Task<ConsumerInfo> RefreshAsync(CancellationToken ct = default)
        => Info = await ConsumerApi.GetAsync(_api, Stream, Name, ct).ConfigureAwait(false);

    /// <summary>Consumes messages continuously. Pull requests overlap, so that the server always has one.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="options">Limits and intervals; null for the defaults. Ignored for a push consumer.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Stops reading.</param>
    /// <returns>The messages; acknowledge each one as the consumer's policy requires. Survives lost connections and missed heartbeats.
    /// Leaving the loop negatively acknowledges the messages that were received but not read.</returns>
    /// <exception cref="NatsClientException">The consumer is gone (<see cref="NatsErrorCode.ConsumerEnded"/>), or the client is closed.</exception>
    public IAsyncEnumerable<JetStreamMessage<T>> ConsumeAsync<T>(ConsumeOptions? options = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        var open = Opener(options ?? new ConsumeOptions(), serializer);
        return new ConsumerSubscriptionStream<T>(open, NaksUnread, ct);
    }

    /// <summary>Fetches one batch of messages.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="maxMessages">The maximum number of messages.</param>
    /// <param name="options">How long to wait, and further limits; null for the defaults.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Stops reading.</param>
    /// <returns>The messages; the enumeration ends when the batch is full, the time is up or the connection is lost.</returns>
    /// <exception cref="NatsClientException">The consumer no longer exists or rejects the request.</exception>
    public IAsyncEnumerable<JetStreamMessage<T>> FetchAsync<T>(
        int maxMessages, FetchOptions? options = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        var reads = serializer ?? _api.Session.Serializers.Get<T>();
        var settings = (options ?? new FetchOptions()).Plan(Stream, Name, maxMessages);
        return new ConsumerSubscriptionStream<T>(() => new PullConsumerSubscription<T>(_api, settings, reads), NaksUnread, ct);
    }

    /// <summary>Fetches one message.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="wait">How long to wait for it; null for 30 s.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The message, or null if none arrived in time.</returns>
    /// <exception cref="NatsClientException">The consumer no longer exists.</exception>
    public async ValueTask<JetStreamMessage<T>?> NextAsync<T>(TimeSpan? wait = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        var options = wait is { } expires ? new FetchOptions { Expires = expires } : null;
        await foreach (var message in FetchAsync(1, options, serializer, ct).ConfigureAwait(false)) return message;
        return null;
    }

    /// <summary>Runs a handler for each message: acknowledges a message when the handler completes, and negatively acknowledges it when the handler throws.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="handler">The handler. It may acknowledge a message itself: the first acknowledgement counts.</param>
    /// <param name="options">Concurrency and treatment of failures; null for the defaults.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Stops reading; running handlers are completed, and waiting messages are negatively acknowledged to the consumer.</param>
    /// <returns>Done when <paramref name="ct"/> was cancelled and every handler has returned.</returns>
    /// <exception cref="NatsClientException">The consumer is gone, or the client is closed.</exception>
    public Task ProcessAsync<T>(
        Func<JetStreamMessage<T>, CancellationToken, ValueTask> handler, ProcessOptions? options = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        options ??= new ProcessOptions();
        options.Check();
        var subscription = Opener(options.Consume, serializer)();
        return new MessageProcessor<T>(subscription, handler, options, NaksUnread).RunAsync(ct);
    }

    /// <summary>Changes the configuration.</summary>
    /// <param name="config">The whole new configuration; start from <c>Info.Config with { … }</c>.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The new <see cref="Info"/>.</returns>
    /// <exception cref="JetStreamException">The server rejects the change.</exception>
    public async Task<ConsumerInfo> UpdateAsync(ConsumerConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Info = await ConsumerApi.CreateAsync(_api, Stream, config with { Name = Name }, ConsumerApi.Update, ct).ConfigureAwait(false);
    }

    /// <summary>Deletes the consumer. Its readers get an error.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when it is deleted.</returns>
    /// <exception cref="JetStreamException">It does not exist.</exception>
    public Task DeleteAsync(CancellationToken ct = default) => ConsumerApi.DeleteAsync(_api, Stream, Name, ct);

    /// <summary>Pauses delivery until a time.</summary>
    /// <param name="until">The time.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>How long it is paused.</returns>
    public async Task<TimeSpan> PauseAsync(DateTimeOffset until, CancellationToken ct = default)
        => (await PauseOrResumeAsync(until, ct).ConfigureAwait(false)).PauseRemaining;

    /// <summary>Resumes delivery.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when delivery was resumed.</returns>
    public Task ResumeAsync(CancellationToken ct = default) => PauseOrResumeAsync(null, ct);

    /// <summary>Unpins the client that a priority group is pinned to.</summary>
    /// <param name="group">The group.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when another client may be pinned.</returns>
    public Task UnpinAsync(string group, CancellationToken ct = default)
        => _api.CallAsync(
            $"CONSUMER.UNPIN.{Stream}.{Name}", new UnpinRequest { Group = group }, JetStreamJson.Default.UnpinRequest, JetStreamJson.Default.SuccessReply, ct);

    /// <summary>Resets the consumer to a sequence. Requires nats-server 2.14.</summary>
    /// <param name="sequence">The sequence of the next message; 0 for the one after the last acknowledged one.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The new <see cref="Info"/>.</returns>
    public async Task<ConsumerInfo> ResetAsync(ulong sequence = 0, CancellationToken ct = default)
    {
        await _api.CallAsync(
            $"CONSUMER.RESET.{Stream}.{Name}", new ResetRequest { Sequence = sequence }, JetStreamJson.Default.ResetRequest, JetStreamJson.Default.ConsumerInfo, ct).ConfigureAwait(false);
        return await RefreshAsync(ct).ConfigureAwait(false);
    }

    // With other policies a nak would also apply to other messages, or to none.
    private bool NaksUnread => Info.Config.AckPolicy == AckPolicy.Explicit;

    // Checks the options now, no matter when the first message is requested.
    private Func<ConsumerSubscription<T>> Opener<T>(ConsumeOptions options, Serializer<T>? serializer)
    {
        var reads = serializer ?? _api.Session.Serializers.Get<T>();
        if (Info.Config.DeliverSubject is { Length: > 0 } subject)
            return () => new PushConsumerSubscription<T>(_api, Stream, Name, subject, Info.Config.DeliverGroup, Info.Config.IdleHeartbeat, reads, isOrdered: false);
        var settings = options.Plan(Stream, Name);
        return () => new PullConsumerSubscription<T>(_api, settings, reads);
    }

    private Task<PauseReply> PauseOrResumeAsync(DateTimeOffset? until, CancellationToken ct)
        => _api.CallAsync(
            $"CONSUMER.PAUSE.{Stream}.{Name}", new PauseRequest { PauseUntil = until }, JetStreamJson.Default.PauseRequest, JetStreamJson.Default.PauseReply, ct);
}

using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Client.Sessions;

namespace Postrider.Client.JetStream;

/// <summary>A consumer of a stream: where its messages are read.</summary>
/// <remarks>Thread-safe. It is a handle: the consumer lives at the server, and others may use it at the same time.</remarks>
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

    /// <summary>Its name.</summary>
    public string Name => Info.Name;

    /// <summary>What the server said of it last: when the handle was made, or at <see cref="RefreshAsync"/>.</summary>
    public ConsumerInfo Info { get; private set; }

    /// <summary>Asks what there is to know.</summary>
    /// <param name="ct">Gives up.</param>
    /// <returns>The new <see cref="Info"/>.</returns>
    /// <exception cref="JetStreamException">It is gone: <see cref="JetStreamErrors.ConsumerNotFound"/>.</exception>
    public async Task<ConsumerInfo> RefreshAsync(CancellationToken ct = default)
        => Info = await ConsumerApi.GetAsync(_api, Stream, Name, ct).ConfigureAwait(false);

    /// <summary>Reads without end: always has pulls at the server, so that it never waits for a round trip.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="options">How many messages at once; null for the defaults. A consumer that pushes needs none.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <param name="ct">Stops reading.</param>
    /// <returns>The messages, each to be acknowledged as the consumer's policy says. Survives lost connections and missed heartbeats.
    /// Who leaves the loop gives back what was brought and not read.</returns>
    /// <exception cref="NatsClientException">The consumer is gone (<see cref="NatsErrorCode.ConsumerEnded"/>), or the client is closed.</exception>
    public IAsyncEnumerable<JetStreamMessage<T>> ConsumeAsync<T>(ConsumeOptions? options = null, IPayloadSerializer<T>? serializer = null, CancellationToken ct = default)
    {
        var open = Opener(options ?? new ConsumeOptions(), serializer);
        return new ConsumerSubscriptionStream<T>(open, NaksUnread, ct);
    }

    /// <summary>Reads one batch.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="maxMessages">The most messages.</param>
    /// <param name="options">How long to wait and what else limits the batch; null for the defaults.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <param name="ct">Stops reading.</param>
    /// <returns>The messages; ends when the batch is full, when the time is up, or when the connection is lost.</returns>
    /// <exception cref="NatsClientException">The consumer is gone or refuses such a batch.</exception>
    public IAsyncEnumerable<JetStreamMessage<T>> FetchAsync<T>(
        int maxMessages, FetchOptions? options = null, IPayloadSerializer<T>? serializer = null, CancellationToken ct = default)
    {
        var reads = serializer ?? _api.Session.Options.Serializers.Get<T>();
        var settings = (options ?? new FetchOptions()).Plan(Stream, Name, maxMessages);
        return new ConsumerSubscriptionStream<T>(() => new PullConsumerSubscription<T>(_api, settings, reads), NaksUnread, ct);
    }

    /// <summary>Reads one message.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="wait">How long to wait for it; null for 30 s.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The message, or null when none came in time.</returns>
    /// <exception cref="NatsClientException">The consumer is gone.</exception>
    public async ValueTask<JetStreamMessage<T>?> NextAsync<T>(TimeSpan? wait = null, IPayloadSerializer<T>? serializer = null, CancellationToken ct = default)
    {
        var options = wait is { } expires ? new FetchOptions { Expires = expires } : null;
        await foreach (var message in FetchAsync(1, options, serializer, ct).ConfigureAwait(false)) return message;
        return null;
    }

    /// <summary>Gives every message to a handler: acknowledges what it finishes and asks again for what it throws at.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="handler">The handler. One that answers a message itself is welcome to: the first answer counts.</param>
    /// <param name="options">How many at once, and what happens to failures; null for the defaults.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <param name="ct">Stops taking messages; what is being worked on is finished, and what waits for it is given back to the consumer.</param>
    /// <returns>Done when <paramref name="ct"/> was cancelled and every handler has returned.</returns>
    /// <exception cref="NatsClientException">The consumer is gone, or the client is closed.</exception>
    public Task ProcessAsync<T>(
        Func<JetStreamMessage<T>, CancellationToken, ValueTask> handler, ProcessOptions? options = null, IPayloadSerializer<T>? serializer = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        options ??= new ProcessOptions();
        options.Check();
        var subscription = Opener(options.Consume, serializer)();
        return new MessageProcessor<T>(subscription, handler, options, NaksUnread).RunAsync(ct);
    }

    /// <summary>Changes the configuration.</summary>
    /// <param name="config">The whole new configuration; <c>Info.Config with { … }</c> is a good start.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The new <see cref="Info"/>.</returns>
    /// <exception cref="JetStreamException">The server refuses the change.</exception>
    public async Task<ConsumerInfo> UpdateAsync(ConsumerConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Info = await ConsumerApi.CreateAsync(_api, Stream, config with { Name = Name }, ConsumerApi.Update, ct).ConfigureAwait(false);
    }

    /// <summary>Deletes the consumer. Whoever reads from it is told.</summary>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when it is gone.</returns>
    /// <exception cref="JetStreamException">It was not there.</exception>
    public Task DeleteAsync(CancellationToken ct = default) => ConsumerApi.DeleteAsync(_api, Stream, Name, ct);

    /// <summary>Has it deliver nothing until a time.</summary>
    /// <param name="until">The time.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>How long it will pause.</returns>
    public async Task<TimeSpan> PauseAsync(DateTimeOffset until, CancellationToken ct = default)
        => (await PauseOrResumeAsync(until, ct).ConfigureAwait(false)).PauseRemaining;

    /// <summary>Has it deliver again.</summary>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when it does.</returns>
    public Task ResumeAsync(CancellationToken ct = default) => PauseOrResumeAsync(null, ct);

    /// <summary>Takes the pin from the client that a priority group is pinned to.</summary>
    /// <param name="group">The group.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when another client may be pinned.</returns>
    public Task UnpinAsync(string group, CancellationToken ct = default)
        => _api.CallAsync(
            $"CONSUMER.UNPIN.{Stream}.{Name}", new UnpinRequest { Group = group }, JetStreamJson.Default.UnpinRequest, JetStreamJson.Default.SuccessReply, ct);

    /// <summary>Has it begin again at a sequence. From nats-server 2.14.</summary>
    /// <param name="sequence">The sequence of the next message; 0 for the one behind the last that was acknowledged.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The new <see cref="Info"/>.</returns>
    public async Task<ConsumerInfo> ResetAsync(ulong sequence = 0, CancellationToken ct = default)
    {
        await _api.CallAsync(
            $"CONSUMER.RESET.{Stream}.{Name}", new ResetRequest { Sequence = sequence }, JetStreamJson.Default.ResetRequest, JetStreamJson.Default.ConsumerInfo, ct).ConfigureAwait(false);
        return await RefreshAsync(ct).ConfigureAwait(false);
    }

    // With other policies a refusal would mean other messages too, or nothing.
    private bool NaksUnread => Info.Config.AckPolicy == AckPolicy.Explicit;

    // Checks the options now, whenever the first message is asked for.
    private Func<ConsumerSubscription<T>> Opener<T>(ConsumeOptions options, IPayloadSerializer<T>? serializer)
    {
        var reads = serializer ?? _api.Session.Options.Serializers.Get<T>();
        if (Info.Config.DeliverSubject is { Length: > 0 } subject)
            return () => new PushConsumerSubscription<T>(_api, Stream, Name, subject, Info.Config.DeliverGroup, Info.Config.IdleHeartbeat, reads, isOrdered: false);
        var settings = options.Plan(Stream, Name);
        return () => new PullConsumerSubscription<T>(_api, settings, reads);
    }

    private Task<PauseReply> PauseOrResumeAsync(DateTimeOffset? until, CancellationToken ct)
        => _api.CallAsync(
            $"CONSUMER.PAUSE.{Stream}.{Name}", new PauseRequest { PauseUntil = until }, JetStreamJson.Default.PauseRequest, JetStreamJson.Default.PauseReply, ct);
}

using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Sagas;

/// <summary>The handling of one message by one saga.</summary>
/// <remarks>
/// Without transactions, the new state and the messages that it sends are one write; then they are sent, and another write removes them. A
/// process that ends in between leaves them in the state: the message that caused them is delivered again, is recognized as handled, and only the
/// pending messages are sent, with the same ids. If another message comes first, it sends them before it is handled.
/// </remarks>
internal sealed partial class SagaHandling<TSaga>(SagaRuntime runtime, SagaType<TSaga> type, ISagaStore store, string id, MessageContext context)
    where TSaga : class
{
    private const int MaxIdChars = 100;

    // The process that stored the state sends its messages within milliseconds; after this time it is assumed to have stopped.
    private static readonly TimeSpan ResendAfter = TimeSpan.FromSeconds(1);

    private readonly string? _messageId = IdOf(context);

    internal async ValueTask RunAsync(SagaRole role, Type message, Func<TSaga> create, Func<TSaga, SagaContext, CancellationToken, ValueTask> call, CancellationToken ct)
    {
        if (store.Transactions is not { } transactions)
        {
            await HandleAsync(role, message, create, call, ct).ConfigureAwait(false);
            return;
        }

        var transaction = await transactions.Begin(ct).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            await HandleAsync(role, message, create, call, ct).ConfigureAwait(false);
            await transaction.Commit(ct).ConfigureAwait(false);
        }
    }

    private async ValueTask HandleAsync(SagaRole role, Type message, Func<TSaga> create, Func<TSaga, SagaContext, CancellationToken, ValueTask> call, CancellationToken ct)
    {
        var stored = await store.LoadAsync(type.Name, id, ct).ConfigureAwait(false);
        var record = stored is null ? null : SagaRecordFormat.Read(stored.Data, type.Name, id);
        var revision = stored?.Revision ?? 0;
        if (record is { Pending.Count: > 0 })
            (record, revision) = await SendLeftAsync(record, revision, ct).ConfigureAwait(false);
        if (!IsExpected(record, role, message))
            return;

        var isNew = record is null;
        var saga = record is null ? create() : type.Read(record);
        record ??= new() { Version = 0, StartedAt = runtime.Time.GetUtcNow(), StoredAt = default };
        var version = record.Version + 1;
        var timeouts = new Dictionary<string, long>(record.Timeouts, StringComparer.Ordinal);
        if (role == SagaRole.Timeout)
            timeouts.Remove(SagaContext.NameOf(message));
        var view = new SagaContext(id, isNew, version, timeouts, context, runtime.Time);
        await call(saga, view, ct).ConfigureAwait(false);

        var messages = Write(view, record.StartedAt);
        var next = record with { Version = version, StoredAt = runtime.Time.GetUtcNow(), Handled = record.HandledWith(_messageId), IsCompleted = view.IsCompleted };
        if (view.IsCompleted)
            next = next with { State = default, ContentType = null, Timeouts = SagaRecord.NoTimeouts };
        else
        {
            var (state, contentType) = type.Write(saga);
            next = next with { State = state, ContentType = contentType, Timeouts = timeouts };
        }

        await StoreAsync(next, revision, messages, ct).ConfigureAwait(false);
    }

    private async ValueTask StoreAsync(SagaRecord record, long revision, List<PendingMessage> messages, CancellationToken ct)
    {
        var withMessages = store.Transactions is null ? record with { Pending = messages } : record;
        revision = await store.SaveAsync(type.Name, id, type.Store(withMessages, id, revision), ct).ConfigureAwait(false);
        if (revision == 0)
            throw Conflict("another message was stored in between");
        await SendAsync(messages, ct).ConfigureAwait(false);
        // Otherwise another message has found them meanwhile and has sent them too.
        if (withMessages.Pending.Count > 0)
            await store.SaveAsync(type.Name, id, type.Store(record, id, revision), ct).ConfigureAwait(false);
    }

    // Messages of an earlier version, which its process may not have sent.
    private async ValueTask<(SagaRecord Record, long Revision)> SendLeftAsync(SagaRecord record, long revision, CancellationToken ct)
    {
        var age = runtime.Time.GetUtcNow() - record.StoredAt;
        // A time in the future comes from a wrong clock, here or in another process: it gives no age.
        if (!record.IsLast(_messageId) && age >= TimeSpan.Zero && age < ResendAfter)
            throw Conflict($"the messages of version {record.Version} are being sent");
        LogLeft(runtime.Logger, record.Pending.Count, record.Version, type.Name, id);
        await SendAsync(record.Pending, ct).ConfigureAwait(false);
        record = record with { Pending = [] };
        revision = await store.SaveAsync(type.Name, id, type.Store(record, id, revision), ct).ConfigureAwait(false);
        return revision == 0 ? throw Conflict("another message was stored in between") : (record, revision);
    }

    private bool IsExpected(SagaRecord? record, SagaRole role, Type message)
    {
        if (record is null)
            return role switch
            {
                SagaRole.Starts => true,
                SagaRole.Timeout => Ignored("its saga does not exist", message),
                _ => IsMissing(message),
            };
        if (_messageId is not null && record.Handled.Contains(_messageId, StringComparer.Ordinal))
            return Ignored("it was handled before", message);
        if (record.IsCompleted)
            return Ignored("its saga has ended", message);
        return role != SagaRole.Timeout || IsSet(record, message) || Ignored("it was set again, was cancelled or was never set", message);
    }

    private bool IsSet(SagaRecord record, Type message)
        => record.Timeouts.TryGetValue(SagaContext.NameOf(message), out var version)
            && context.Headers[HeaderNames.SagaTimeout] is { } set && set == TextOf(version, record.StartedAt);

    private bool IsMissing(Type message)
    {
        if (type.Missing == MissingSaga.Ignore)
        {
            LogMissing(runtime.Logger, message, type.Name, id);
            return false;
        }

        if (type.Missing == MissingSaga.DeadLetter)
            context.Delivery?.Refuse(DeadLetterReason.SagaNotFound);
        throw new PostriderException(PostriderError.SagaNotFound, $"There is no saga '{type.Name}' with id '{id}', and {message} may not start one.");
    }

    private bool Ignored(string why, Type message)
    {
        LogIgnored(runtime.Logger, message, type.Name, id, why);
        return false;
    }

    private List<PendingMessage> Write(SagaContext view, DateTimeOffset? startedAt)
    {
        var messages = new List<PendingMessage>(view.Outgoing.Count);
        var origin = Origin();
        foreach (var (message, delay, isTimeout) in view.Outgoing)
        {
            var sender = runtime.Routes.SenderOf(message.GetType());
            if (store.Transactions is not null && !sender.IsScoped)
                throw new PostriderException(PostriderError.Configuration, $"The saga '{type.Name}' is kept in a database, and {message.GetType()} is not routed through an outbox, so it could be sent without its state: route it over the transport that OutboxBuilder.AddTransport added.");
            var (properties, body) = sender.Write(message, origin);
            properties = properties with { MessageId = MessageIdOf(view.Version, startedAt, messages.Count), Headers = isTimeout ? WithVersion(properties.Headers, TextOf(view.Version, startedAt)) : properties.Headers };
            var wait = isTimeout ? delay : properties.Delay;
            if (wait > sender.MaxDelay)
                throw new PostriderException(PostriderError.Configuration, $"The saga '{type.Name}' sends {message.GetType()} after {wait}, and its transport keeps a message back for at most {sender.MaxDelay}: shorten the delay, or route it through an outbox.");
            messages.Add(new(SagaContext.NameOf(message.GetType()), properties with { Delay = TimeSpan.Zero }, body, wait > TimeSpan.Zero ? runtime.Time.GetUtcNow() + Bounded(wait) : null));
        }

        return messages;
    }

    private async ValueTask SendAsync(IReadOnlyList<PendingMessage> messages, CancellationToken ct)
    {
        foreach (var message in messages)
        {
            var sender = runtime.Routes.SenderOf(message.Type)
                ?? throw new PostriderException(PostriderError.Configuration, $"The saga '{type.Name}' with id '{id}' has a message of type {message.Type} to send, which is no longer routed: route it.");
            var properties = message.Properties;
            if (message.DueAt - runtime.Time.GetUtcNow() is { } wait && wait > TimeSpan.Zero)
                properties = properties with { Delay = wait };
            await sender.SendAsync(properties, message.Body, Origin(), ct).ConfigureAwait(false);
        }
    }

    private CallOrigin Origin() => new()
    {
        Services = context.Services,
        CorrelationId = context.CorrelationId,
        CausationId = context.Headers[HeaderNames.MessageId] ?? context.MessageId,
    };

    private PostriderException Conflict(string what)
        => new(PostriderError.Conflict, $"The saga '{type.Name}' with id '{id}' was changed by another message: {what}. The message is handled again.");

    // A saga that ended long ago had the same versions, and its timeouts may still be waiting.
    private static string TextOf(long version, DateTimeOffset? startedAt)
        => startedAt is { } started ? string.Create(CultureInfo.InvariantCulture, $"{version}/{started.UtcTicks}") : version.ToString(CultureInfo.InvariantCulture);

    // The same for every attempt to send it, and unique to this message.
    private string MessageIdOf(long version, DateTimeOffset? startedAt, int index)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{type.Name}\n{id}\n{TextOf(version, startedAt)}\n{index}")), hash);
        return Convert.ToHexStringLower(hash[..16]);
    }

    private static Headers WithVersion(Headers? headers, string version)
    {
        var with = new Headers();
        foreach (var (name, value) in headers ?? [])
            with.Add(name, value);
        with[HeaderNames.SagaTimeout] = version;
        return with;
    }

    private TimeSpan Bounded(TimeSpan wait)
    {
        var most = DateTimeOffset.MaxValue - runtime.Time.GetUtcNow();
        return wait < most ? wait : most;
    }

    private static string? IdOf(MessageContext context)
    {
        var id = context.Headers[HeaderNames.IdempotencyKey] ?? context.Headers[HeaderNames.MessageId]
            ?? (context.Delivery is { Sequence: > 0, Store: { } kept } delivery ? string.Create(CultureInfo.InvariantCulture, $"{kept}/{delivery.Sequence}/{delivery.StoredAt?.UtcTicks}") : null);
        return id is { Length: > MaxIdChars } ? Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(id))) : id;
    }

    [LoggerMessage(20, LogLevel.Debug, "{Message} for saga '{Saga}' with id '{Id}' was ignored: {Why}.")]
    private static partial void LogIgnored(ILogger logger, Type message, string saga, string id, string why);

    [LoggerMessage(21, LogLevel.Warning, "{Message} was ignored: there is no saga '{Saga}' with id '{Id}'.")]
    private static partial void LogMissing(ILogger logger, Type message, string saga, string id);

    [LoggerMessage(22, LogLevel.Information, "{Count} messages of version {Version} of saga '{Saga}' with id '{Id}' may not have been sent and are sent now.")]
    private static partial void LogLeft(ILogger logger, int count, long version, string saga, string id);
}

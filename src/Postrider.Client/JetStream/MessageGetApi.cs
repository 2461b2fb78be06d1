using System.Globalization;
using System.Runtime.CompilerServices;
using Postrider.Client.JetStream.Api;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.JetStream;

/// <summary>Gets messages of a stream: by direct gets where they are allowed, else through the API.</summary>
internal static class MessageGetApi
{
    private const int EndOfBatchStatus = 204;
    private const int NotFoundStatus = 404;
    private const int NoRespondersStatus = 503;

    private static readonly JsonTypeSerializer<MessageGetRequest> Requests = new(JetStreamJson.Default.MessageGetRequest);

    /// <summary>Gets the last message of a subject, from any replica.</summary>
    /// <returns>Null when there is none.</returns>
    public static Task<StoredMessage<T>?> GetLastDirectAsync<T>(ApiClient api, string stream, string subject, Serializer<T> serializer, CancellationToken ct)
        => GetDirectAsync(api, $"{api.Prefix}.DIRECT.GET.{stream}.{subject}", ReadOnlyMemory<byte>.Empty, null, serializer, ct);

    /// <summary>Gets a message, from any replica.</summary>
    /// <returns>Null when there is none.</returns>
    public static Task<StoredMessage<T>?> GetDirectAsync<T>(ApiClient api, string stream, MessageGetRequest request, Serializer<T> serializer, CancellationToken ct)
        => GetDirectAsync(api, $"{api.Prefix}.DIRECT.GET.{stream}", request, Requests, serializer, ct);

    /// <summary>Gets a message, from the stream's leader.</summary>
    /// <returns>Null when there is none.</returns>
    public static async Task<StoredMessage<T>?> GetAsync<T>(ApiClient api, string stream, MessageGetRequest request, Serializer<T> serializer, CancellationToken ct)
    {
        try
        {
            var reply = await api.CallAsync($"STREAM.MSG.GET.{stream}", request, JetStreamJson.Default.MessageGetRequest, JetStreamJson.Default.MessageGetReply, ct).ConfigureAwait(false);
            var message = reply.Message;
            T data = default!;
            Exception? error = null;
            try
            {
                data = serializer.Read(message.Data);
            }
            catch (Exception unreadable)
            {
                error = unreadable;
            }
            var headers = message.Hdrs is { Length: > 0 } block ? new NatsHeaders(block) : null;
            return new StoredMessage<T>(message.Subject, message.Seq, message.Time, headers, data, error);
        }
        catch (JetStreamException none) when (none.ErrorCode == JetStreamErrors.MessageNotFound)
        {
            return null;
        }
    }

    /// <summary>Gets several messages with one request, from any replica.</summary>
    public static async IAsyncEnumerable<StoredMessage<T>> GetManyAsync<T>(
        ApiClient api, string stream, MessageGetRequest request, Serializer<T> serializer, [EnumeratorCancellation] CancellationToken ct)
    {
        var session = api.Session;
        var inbox = session.NewInbox();
        var subscription = new NatsSubscription<T>(session, inbox, new SubscriptionOptions(), serializer);
        session.Subscribe(subscription);
        await using var ends = ((IAsyncDisposable)subscription).ConfigureAwait(false);
        var subject = $"{api.Prefix}.DIRECT.GET.{stream}";
        await session.PublishAsync(subject, request, inbox, null, Requests, ct).ConfigureAwait(false);
        while (true)
        {
            var message = await ReadAsync(api, subscription, subject, ct).ConfigureAwait(false);
            switch (message.Headers?.Status)
            {
                case EndOfBatchStatus or NotFoundStatus:
                    yield break;
                case NoRespondersStatus:
                    throw ApiClient.Unavailable(subject, new NatsNoRespondersException(subject));
                case > 0 and var status:
                    throw new JetStreamException(status, 0, message.Headers.StatusText, subject);
            }
            yield return Read(message);
        }
    }

    private static async ValueTask<NatsMessage<T>> ReadAsync<T>(ApiClient api, NatsSubscription<T> subscription, string subject, CancellationToken ct)
    {
        if (subscription.TryRead(out var message)) return message;
        using var late = new CancellationTokenSource(api.Timeout, api.Session.Options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, ct);
        try
        {
            return await subscription.ReadAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new NatsClientException(NatsErrorCode.RequestTimeout, $"No further message of the batch on '{subject}' arrived within {api.Timeout.TotalSeconds:0.###} s.");
        }
    }

    private static async Task<StoredMessage<T>?> GetDirectAsync<TRequest, T>(
        ApiClient api, string subject, TRequest request, Serializer<TRequest>? requests, Serializer<T> serializer, CancellationToken ct)
    {
        try
        {
            var message = await api.Requester.RequestAsync(subject, request, api.Timeout, null, requests, serializer, ct).ConfigureAwait(false);
            return message.Headers?.Status switch
            {
                null or 0 => Read(message),
                NotFoundStatus => null,
                { } status => throw new JetStreamException(status, 0, message.Headers.StatusText, subject),
            };
        }
        catch (NatsNoRespondersException error)
        {
            throw ApiClient.Unavailable(subject, error);
        }
    }

    private static StoredMessage<T> Read<T>(in NatsMessage<T> message)
    {
        var headers = message.Headers;
        if (headers?["Nats-Subject"] is not { } subject || !ulong.TryParse(headers["Nats-Sequence"], CultureInfo.InvariantCulture, out var sequence))
            throw new NatsClientException(NatsErrorCode.ProtocolViolation, $"The reply on '{message.Subject}' does not have the headers of a stored message.");
        var isTimed = DateTimeOffset.TryParse(headers["Nats-Time-Stamp"], CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var stored);
        var time = isTimed ? stored : default;
        return new StoredMessage<T>(subject, sequence, time, headers, message.Error is null ? message.Data : default!, message.Error);
    }
}

using System.Globalization;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Publishing;

namespace Postrider.Client.JetStream;

/// <summary>Messages that one stream stores all together or not at all.</summary>
/// <remarks>
/// Not thread-safe. The stream must allow it; a server takes up to 1000 messages, and drops a batch that hears nothing for
/// ten seconds. Without a commit nothing is stored. Source: NATS ADR-50.
/// </remarks>
public sealed class AtomicBatch
{
    private const string IdHeader = "Nats-Batch-Id";
    private const string SequenceHeader = "Nats-Batch-Sequence";
    private const string CommitHeader = "Nats-Batch-Commit";

    private readonly ApiClient _api;
    private string _lastSubject = "";
    private bool _isOver;

    internal AtomicBatch(ApiClient api)
    {
        _api = api;
        Id = api.Session.Nuid.Next();
    }

    /// <summary>The batch's id.</summary>
    public string Id { get; }

    /// <summary>Messages added so far.</summary>
    public int Count { get; private set; }

    /// <summary>Adds a message. The first waits for the stream's consent, the others for room only.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="subject">A subject of the stream.</param>
    /// <param name="data">The value.</param>
    /// <param name="options">What the stream must check when the batch is committed, or null.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when the message is on its way.</returns>
    /// <exception cref="JetStreamException">The stream takes no batches, or too many are open.</exception>
    public async ValueTask AddAsync<T>(
        string subject, T data, PublishOptions? options = null, NatsHeaders? headers = null, IPayloadSerializer<T>? serializer = null, CancellationToken ct = default)
    {
        var all = Next(subject, options, headers);
        if (Count > 1)
        {
            await _api.Session.PublishAsync(subject, data, default(ReadOnlySpan<byte>), all, serializer, ct).ConfigureAwait(false);
            return;
        }
        try
        {
            // Consent is an empty answer; a refusal says why.
            var answer = await _api.Requester.RequestAsync<T, byte[]>(subject, data, _api.Timeout, all, serializer, null, ct).ConfigureAwait(false);
            if (answer.Data.Length > 0 && new PubAckSerializer().Deserialize(answer.Data) is { Error: not null } refusal) throw refusal.ToException(subject);
        }
        catch (NatsNoRespondersException nobody)
        {
            throw ApiClient.Unavailable(subject, nobody);
        }
    }

    /// <summary>Adds the last message and has everything stored.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="subject">A subject of the stream.</param>
    /// <param name="data">The value.</param>
    /// <param name="options">What the stream must check, or null.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <param name="ct">Gives up waiting; the batch may be stored all the same.</param>
    /// <returns>The acknowledgement of the last message, with the batch's id and count.</returns>
    /// <exception cref="JetStreamException">Nothing was stored: a check failed, or a message was lost.</exception>
    public ValueTask<PublishAck> CommitAsync<T>(
        string subject, T data, PublishOptions? options = null, NatsHeaders? headers = null, IPayloadSerializer<T>? serializer = null, CancellationToken ct = default)
        => CommitAsync(subject, data, Next(subject, options, headers), "1", serializer, ct);

    /// <summary>Has everything stored that was added.</summary>
    /// <param name="ct">Gives up waiting; the batch may be stored all the same.</param>
    /// <returns>The acknowledgement of the last message, with the batch's id and count.</returns>
    /// <exception cref="JetStreamException">Nothing was stored: a check failed, or a message was lost.</exception>
    public ValueTask<PublishAck> CommitAsync(CancellationToken ct = default)
    {
        if (Count == 0) throw new InvalidOperationException("The batch is empty.");
        return CommitAsync(_lastSubject, ReadOnlyMemory<byte>.Empty, Next(_lastSubject, null, null), "eob", null, ct);
    }

    private async ValueTask<PublishAck> CommitAsync<T>(
        string subject, T data, NatsHeaders all, string commit, IPayloadSerializer<T>? serializer, CancellationToken ct)
    {
        all[CommitHeader] = commit;
        _isOver = true;
        try
        {
            var answer = await _api.Requester.RequestAsync(subject, data, _api.Timeout, all, serializer, new PubAckSerializer(), ct).ConfigureAwait(false);
            var reply = answer.Data;
            return reply.Error is null ? reply.Ack : throw reply.ToException(subject);
        }
        catch (NatsNoRespondersException nobody)
        {
            throw ApiClient.Unavailable(subject, nobody);
        }
    }

    private NatsHeaders Next(string subject, PublishOptions? options, NatsHeaders? headers)
    {
        if (_isOver) throw new InvalidOperationException("The batch was already committed.");
        _lastSubject = subject;
        Count++;
        var all = new NatsHeaders();
        foreach (var (name, value) in (options is null ? headers : options.AddTo(headers)) ?? []) all.Add(name, value);
        all[IdHeader] = Id;
        all[SequenceHeader] = Count.ToString(CultureInfo.InvariantCulture);
        return all;
    }
}

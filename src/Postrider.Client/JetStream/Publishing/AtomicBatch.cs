using System.Globalization;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Publishing;
using Postrider.Serialization;

namespace Postrider.Client.JetStream;

/// <summary>A batch of messages that a stream stores atomically.</summary>
/// <remarks>
/// Not thread-safe. The stream must allow it; a server accepts up to 1000 messages and abandons a batch that receives nothing for
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

    /// <summary>Adds a message. The first one waits until the stream has accepted the batch, the others only for room in the send buffer.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="subject">A subject of the stream.</param>
    /// <param name="data">The value.</param>
    /// <param name="options">Expectations that the stream checks when the batch is committed, or null.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when the message is in the send buffer.</returns>
    /// <exception cref="JetStreamException">The stream does not allow batches, or too many are open.</exception>
    public async ValueTask AddAsync<T>(
        string subject, T data, PublishOptions? options = null, NatsHeaders? headers = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        var all = Next(subject, options, headers);
        if (Count > 1)
        {
            await _api.Session.PublishAsync(subject, data, default(ReadOnlySpan<byte>), all, serializer, ct).ConfigureAwait(false);
            return;
        }
        try
        {
            // An empty reply is the consent; a rejection contains the reason.
            var answer = await _api.Requester.RequestAsync<T, byte[]>(subject, data, _api.Timeout, all, serializer, null, ct).ConfigureAwait(false);
            if (answer.Data.Length > 0 && new PubAckSerializer().Read(answer.Data) is { Error: not null } refusal) throw refusal.ToException(subject);
        }
        catch (NatsNoRespondersException error)
        {
            throw ApiClient.Unavailable(subject, error);
        }
    }

    /// <summary>Adds the last message and commits the batch.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="subject">A subject of the stream.</param>
    /// <param name="data">The value.</param>
    /// <param name="options">Expectations that the stream checks, or null.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait; the batch may still be stored.</param>
    /// <returns>The acknowledgement of the last message, with the batch's id and count.</returns>
    /// <exception cref="JetStreamException">Nothing was stored: an expectation was not met, or a message was lost.</exception>
    public ValueTask<PublishAck> CommitAsync<T>(
        string subject, T data, PublishOptions? options = null, NatsHeaders? headers = null, Serializer<T>? serializer = null, CancellationToken ct = default)
        => CommitAsync(subject, data, Next(subject, options, headers), "1", serializer, ct);

    /// <summary>Commits the batch.</summary>
    /// <param name="ct">Cancels the wait; the batch may still be stored.</param>
    /// <returns>The acknowledgement of the last message, with the batch's id and count.</returns>
    /// <exception cref="JetStreamException">Nothing was stored: an expectation was not met, or a message was lost.</exception>
    public ValueTask<PublishAck> CommitAsync(CancellationToken ct = default)
    {
        if (Count == 0) throw new InvalidOperationException("The batch is empty.");
        return CommitAsync(_lastSubject, ReadOnlyMemory<byte>.Empty, Next(_lastSubject, null, null), "eob", null, ct);
    }

    private async ValueTask<PublishAck> CommitAsync<T>(
        string subject, T data, NatsHeaders all, string commit, Serializer<T>? serializer, CancellationToken ct)
    {
        all[CommitHeader] = commit;
        _isOver = true;
        try
        {
            var answer = await _api.Requester.RequestAsync(subject, data, _api.Timeout, all, serializer, new PubAckSerializer(), ct).ConfigureAwait(false);
            var reply = answer.Data;
            return reply.Error is null ? reply.Ack : throw reply.ToException(subject);
        }
        catch (NatsNoRespondersException error)
        {
            throw ApiClient.Unavailable(subject, error);
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

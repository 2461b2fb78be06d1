using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Api;

/// <summary>Serves direct gets: responds with the stored messages, with their position in headers.</summary>
/// <remarks>Source: nats-server, direct get (NATS ADR-31).</remarks>
/// <param name="stream">The stream.</param>
/// <param name="subjectStart">The place in a request's subject at which the subject of the message begins.</param>
/// <param name="origin">The name of the mirrored stream, if the requests are sent to it; null if they are sent to the stream itself.</param>
internal sealed class DirectGet(MessageStream stream, int subjectStart, string? origin) : IInternalSubscriber
{
    private const string Prefix = "$JS.API.DIRECT.GET.";

    // nats-server's limit of messages in one response.
    private const int MaxLast = 1024;

    // A search, and a message that is read and written, cost about as much as this many deliveries. Requests are
    // handled on the client's connection's thread: one read of 128 KiB holds 1,000 requests for 10,000 messages each.
    private const int RequestWeight = 512;
    private const int MessageWeight = 64;

    // A request with a wildcard compares all subjects or messages of a stream. If there are more messages than this, it is handled on
    // the thread pool.
    private const int ManyMessages = 1_000;

    /// <summary>Subscribes to a stream's direct gets if it allows them.</summary>
    public static void Subscribe(MessageStream stream, Action<string, IInternalSubscriber> subscribe)
    {
        var config = stream.Config;
        if (config.AllowDirect) Subscribe(stream, stream.Name, null, subscribe);
        if (config is { MirrorDirect: true, Mirror: { External: null } mirror }) Subscribe(stream, mirror.Name, mirror.Name, subscribe);
    }

    /// <inheritdoc/>
    public bool ServesClients => true;

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        batch.Count(RequestWeight);
        // The response would have no subscriber.
        if (replyTo.IsEmpty || !InternalPublisher.HasReceiver(stream.Services.Subscriptions, replyTo, batch)) return;
        var bySubject = subjectStart < subject.Length;
        var problem = ApiLevel.IsSupported(headers) ? "" : "412 Required Api Level";
        var asked = new MessageGetRequest();
        if (problem.Length == 0) problem = Read(payload, bySubject, ref asked);
        if (problem.Length > 0)
        {
            Answer(replyTo, problem, batch);
            return;
        }
        var key = bySubject ? Encoding.UTF8.GetString(subject[subjectStart..]) : asked.LastBySubject;
        var served = Served();
        if (served.Store.Messages <= ManyMessages || !IsSearch(asked, key)) Serve(served, asked, key, replyTo, batch);
        else if (!stream.Account.Queries.TryAdd(new Search(this, served, asked, key), publisher, subject, replyTo, [], []))
            InternalPublisher.ReplyNoResponders(stream.Services.Subscriptions, subject, replyTo, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
    {
        StreamLog.RequestFailed(stream.Services.Logger, Encoding.UTF8.GetString(subject), error);
        Answer(replyTo, "500 Internal Server Error", batch);
    }

    private static bool IsSearch(MessageGetRequest asked, string? lastOf)
        => HasWildcard(asked.NextBySubject) || HasWildcard(lastOf) || asked.MultiLast?.Any(static subject => HasWildcard(subject)) == true;

    private static bool HasWildcard(string? subject) => !string.IsNullOrEmpty(subject) && SubjectPattern.HasWildcard(Encoding.UTF8.GetBytes(subject));

    // If the account has the mirrored stream, it serves the request itself, because it has the newest messages.
    private MessageStream Served()
        => origin is not null && stream.Account.TryGetStream(origin, out var named) && named.Config.AllowDirect ? named : stream;

    private static void Serve(MessageStream stream, MessageGetRequest asked, string? lastOf, ReadOnlySpan<byte> replyTo, SendBatch batch)
    {
        var answers = new MessageBuffer();
        try
        {
            using (stream.Gate.Hold())
            {
                if (stream.IsClosed) return;
                stream.CommitPendingLocked();
                if (asked.MultiLast is { Count: > 0 } subjects) DirectGetBatch.Last(stream, asked, subjects, MaxLast, replyTo, answers);
                else if (asked.Batch > 0) DirectGetBatch.Next(stream, asked, replyTo, answers);
                else One(stream, asked, lastOf, replyTo, answers);
            }
            batch.Count(answers.Count * MessageWeight);
            answers.Publish(stream.Services.Subscriptions, batch);
        }
        finally
        {
            answers.Release();
        }
    }

    private static void One(MessageStream stream, MessageGetRequest asked, string? lastOf, ReadOnlySpan<byte> replyTo, MessageBuffer answers)
    {
        var store = stream.Store;
        var sequence = asked.StartTime is { } start ? store.Queries.SequenceAt(Clock.Of(start)) : asked.Sequence;
        if (!MessageSearch.TryFind(store, sequence, asked.NextBySubject, lastOf, out var found)
            || found > stream.VisibleSequence
            || store.TryRead(found, out var message) != StoreStatus.Ok)
        {
            answers.Add(replyTo, Status("404 Message Not Found"), []);
            return;
        }
        answers.Add(replyTo, asked.NoHeaders ? [] : DirectGetHeaders.Write(stream.Name, in message), message.Payload);
    }

    private static string Read(ReadOnlySpan<byte> payload, bool bySubject, ref MessageGetRequest asked)
    {
        if (payload.IsEmpty) return bySubject ? "" : "408 Empty Request";
        try
        {
            asked = JsonSerializer.Deserialize(payload, StreamJson.Lenient.MessageGetRequest) ?? asked;
        }
        catch (JsonException)
        {
            return "408 Malformed Request";
        }
        var last = !string.IsNullOrEmpty(asked.LastBySubject);
        var next = !string.IsNullOrEmpty(asked.NextBySubject);
        var many = asked.MultiLast is { Count: > 0 };
        var upTo = asked.UpToSequence > 0 || asked.UpToTime is not null;
        if (bySubject) return last || next || many || upTo || asked is not { Sequence: 0, Batch: 0, StartTime: null } ? "408 Bad Request" : "";
        if (asked is { Sequence: 0, StartTime: null } && !last && !next && !many) return "408 Empty Request";
        var conflicts = (asked.Sequence > 0 && (last || asked.StartTime is not null))
            || (last && (next || many || asked.Batch > 0 || asked.StartTime is not null))
            || (next && many)
            || asked is { UpToSequence: > 0, UpToTime: not null };
        return conflicts ? "408 Bad Request" : "";
    }

    private void Answer(ReadOnlySpan<byte> replyTo, string status, SendBatch batch)
        => InternalPublisher.Publish(stream.Services.Subscriptions, replyTo, replyTo, [], Status(status), [], batch);

    private static byte[] Status(string status) => Encoding.ASCII.GetBytes($"NATS/1.0 {status}\r\n\r\n");

    private static void Subscribe(MessageStream stream, string name, string? origin, Action<string, IInternalSubscriber> subscribe)
    {
        Subscribe(stream, Prefix, name, origin, subscribe);
        if (stream.Services.Options.Domain is { Length: > 0 } domain) Subscribe(stream, $"$JS.{domain}.API.DIRECT.GET.", name, origin, subscribe);
    }

    private static void Subscribe(MessageStream stream, string prefix, string name, string? origin, Action<string, IInternalSubscriber> subscribe)
    {
        var handler = new DirectGet(stream, Encoding.UTF8.GetByteCount(prefix + name) + 1, origin);
        subscribe(prefix + name, handler);
        subscribe($"{prefix}{name}.>", handler);
    }

    /// <summary>A request that compares many subjects; handled on the thread pool.</summary>
    private sealed class Search(DirectGet owner, MessageStream served, MessageGetRequest asked, string? lastOf) : IInternalSubscriber
    {
        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
            => Serve(served, asked, lastOf, replyTo, batch);

        public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch) => owner.OnFailed(subject, replyTo, error, batch);
    }
}

using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Tells those who listen what happened to streams and consumers.</summary>
internal static class AdvisoryPublisher
{
    /// <summary>What subjects of advisories begin with.</summary>
    public const string Prefix = "$JS.EVENT.ADVISORY.";

    private static ReadOnlySpan<byte> AuditSubject => "$JS.EVENT.ADVISORY.API"u8;

    /// <summary>Publishes an advisory where somebody listens. No lock is held.</summary>
    public static void Publish<T>(JetStreamAccount account, string subject, T advisory, JsonTypeInfo<T> type, SendBatch batch)
        where T : Advisory
    {
        var bytes = Encoding.UTF8.GetBytes(subject);
        var tree = account.Account.Subscriptions;
        if (!InternalPublisher.HasInterest(tree, bytes, batch)) return;
        InternalPublisher.Publish(tree, bytes, Render(account, advisory, type), batch);
    }

    /// <summary>Adds an advisory to what is published later. The queue's lock is held.</summary>
    public static void Add<T>(PublishQueue queue, JetStreamAccount account, string subject, T advisory, JsonTypeInfo<T> type)
        where T : Advisory
    {
        var bytes = Encoding.UTF8.GetBytes(subject);
        if (account.Account.Subscriptions.Match(bytes) is { Plain.Count: 0, Groups.Length: 0 }) return;
        queue.Add(bytes, [], Render(account, advisory, type));
    }

    /// <summary>Publishes what happened to a stream.</summary>
    public static void Stream(JetStreamAccount account, string stream, string verb, string action, SendBatch batch)
        => Publish(
            account,
            $"{Prefix}STREAM.{verb}.{stream}",
            new StreamActionAdvisory
            {
                Type = "io.nats.jetstream.advisory.v1.stream_action",
                Stream = stream,
                Action = action,
                Domain = account.Engine.Options.Domain,
            },
            StreamJson.Default.StreamActionAdvisory,
            batch);

    /// <summary>Publishes that a snapshot or a restore began or ended.</summary>
    public static void Transfer(JetStreamAccount account, string verb, StreamTransferAdvisory advisory, SendBatch batch)
        => Publish(
            account,
            $"{Prefix}STREAM.{verb}.{advisory.Stream}",
            advisory with { Type = $"io.nats.jetstream.advisory.v1.{verb.ToLowerInvariant()}", Domain = account.Engine.Options.Domain },
            StreamJson.Default.StreamTransferAdvisory,
            batch);

    /// <summary>Publishes a request and its answer.</summary>
    public static void Audit(scoped in ApiRequest request, ReadOnlySpan<byte> answer)
    {
        var account = request.Account;
        if (!InternalPublisher.HasInterest(account.Account.Subscriptions, AuditSubject, request.Batch)) return;
        var advisory = new ApiAuditAdvisory
        {
            Type = "io.nats.jetstream.advisory.v1.api_audit",
            Server = account.Engine.ServerName,
            Client = Describe(account, request.Publisher),
            Subject = Encoding.UTF8.GetString(request.Subject),
            Request = request.Payload.IsEmpty ? null : Encoding.UTF8.GetString(request.Payload),
            Response = Encoding.UTF8.GetString(answer),
            Domain = account.Engine.Options.Domain,
        };
        InternalPublisher.Publish(account.Account.Subscriptions, AuditSubject, Render(account, advisory, StreamJson.Default.ApiAuditAdvisory), request.Batch);
    }

    /// <summary>A connection as advisories show it.</summary>
    public static AdvisoryClient? Describe(JetStreamAccount account, IPublishingClient? publisher)
    {
        if (publisher is null) return null;
        var details = publisher.Details;
        return new AdvisoryClient
        {
            Start = details.StartedAt,
            Host = NullIfEmpty(details.Host),
            Id = publisher.Id,
            Account = publisher.AccountName,
            User = NullIfEmpty(publisher.UserName),
            Name = NullIfEmpty(details.Name),
            Language = NullIfEmpty(details.Language),
            Version = NullIfEmpty(details.Version),
            RoundTrip = Nanoseconds.Of(details.RoundTrip),
            Server = account.Engine.ServerName,
            Kind = "Client",
            ClientType = "nats",
        };
    }

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static byte[] Render<T>(JetStreamAccount account, T advisory, JsonTypeInfo<T> type)
        where T : Advisory
    {
        advisory.Id = account.Engine.NextId();
        advisory.Timestamp = account.Engine.Time.GetUtcNow();
        return JsonSerializer.SerializeToUtf8Bytes(advisory, type);
    }
}

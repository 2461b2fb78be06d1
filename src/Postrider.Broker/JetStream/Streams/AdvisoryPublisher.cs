using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Publishes advisories about streams and consumers.</summary>
internal static class AdvisoryPublisher
{
    /// <summary>The prefix of advisory subjects.</summary>
    public const string Prefix = "$JS.EVENT.ADVISORY.";

    /// <summary>Publishes an advisory if it has subscribers. Called without a lock.</summary>
    public static void Publish<T>(AccountServices services, string subject, T advisory, JsonTypeInfo<T> type, SendBatch batch)
        where T : Advisory
    {
        var bytes = Encoding.UTF8.GetBytes(subject);
        var tree = services.Subscriptions;
        if (!InternalPublisher.HasInterest(tree, bytes, batch)) return;
        InternalPublisher.Publish(tree, bytes, Render(services, advisory, type), batch);
    }

    /// <summary>Adds an advisory to a queue that is published later. The queue's lock is held.</summary>
    public static void Add<T>(PublishQueue queue, AccountServices services, string subject, T advisory, JsonTypeInfo<T> type)
        where T : Advisory
    {
        var bytes = Encoding.UTF8.GetBytes(subject);
        if (services.Subscriptions.Match(bytes) is { Plain.Count: 0, Groups.Length: 0 }) return;
        queue.Add(bytes, [], Render(services, advisory, type));
    }

    /// <summary>Publishes an event of a stream.</summary>
    public static void Stream(AccountServices services, string stream, string verb, string action, SendBatch batch)
        => Publish(
            services,
            $"{Prefix}STREAM.{verb}.{stream}",
            new StreamActionAdvisory
            {
                Type = "io.nats.jetstream.advisory.v1.stream_action",
                Stream = stream,
                Action = action,
                Domain = services.Options.Domain,
            },
            StreamJson.Default.StreamActionAdvisory,
            batch);

    /// <summary>Publishes the beginning or end of a snapshot or a restore.</summary>
    public static void Transfer(AccountServices services, string verb, StreamTransferAdvisory advisory, SendBatch batch)
        => Publish(
            services,
            $"{Prefix}STREAM.{verb}.{advisory.Stream}",
            advisory with { Type = $"io.nats.jetstream.advisory.v1.{verb.ToLowerInvariant()}", Domain = services.Options.Domain },
            StreamJson.Default.StreamTransferAdvisory,
            batch);

    /// <summary>A connection as advisories show it: of another account's, only what its import shares.</summary>
    /// <param name="services">The account that the request reached.</param>
    /// <param name="publisher">The requester.</param>
    /// <param name="headers">The request's headers.</param>
    public static AdvisoryClient? Describe(AccountServices services, IPublishingClient? publisher, ReadOnlySpan<byte> headers)
    {
        if (publisher is null) return null;
        var details = publisher.Details;
        var isForeign = publisher.AccountName != services.AccountName;
        var shown = new AdvisoryClient
        {
            Account = publisher.AccountName,
            Service = isForeign ? services.AccountName : null,
            RoundTrip = Nanoseconds.Of(details.RoundTrip),
            Server = services.ServerName,
        };
        if (isForeign && !RequestInfo.Shares(headers)) return shown;
        return shown with
        {
            Start = details.StartedAt,
            Host = NullIfEmpty(details.Host),
            Id = publisher.Id,
            User = NullIfEmpty(publisher.UserName),
            Name = NullIfEmpty(details.Name),
            Language = NullIfEmpty(details.Language),
            Version = NullIfEmpty(details.Version),
            IssuerKey = NullIfEmpty(details.IssuerKey),
            NameTag = NullIfEmpty(details.NameTag),
            Tags = details.Tags.Count == 0 ? null : details.Tags,
            Kind = "Client",
            ClientType = details.Type,
        };
    }

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    /// <summary>Writes an advisory with its id and time.</summary>
    internal static byte[] Render<T>(AccountServices services, T advisory, JsonTypeInfo<T> type)
        where T : Advisory
    {
        advisory.Id = services.NextId();
        advisory.Timestamp = services.Time.GetUtcNow();
        return JsonSerializer.SerializeToUtf8Bytes(advisory, type);
    }
}

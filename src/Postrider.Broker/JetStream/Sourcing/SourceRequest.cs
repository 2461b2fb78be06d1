using System.Globalization;
using System.Text.Json;
using System.Text;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>A follower's request to the origin's server: to create a consumer that sends the missing messages.</summary>
/// <remarks>Immutable. Source: nats-server, mirrors and sources.</remarks>
internal sealed class SourceRequest
{
    /// <summary>The API level whose servers distinguish a stream from an earlier one with its name.</summary>
    public const int IdentityLevel = 5;

    /// <summary>The API level whose servers support consumers for sourcing.</summary>
    public const int SourcingLevel = 4;

    private static readonly Nanoseconds Heartbeat = Nanoseconds.Of(TimeSpan.FromSeconds(1));
    private static readonly Nanoseconds InactiveThreshold = Nanoseconds.Of(TimeSpan.FromSeconds(10));
    private static readonly Nanoseconds AckWait = Nanoseconds.Of(TimeSpan.FromHours(22));

    private SourceRequest(string subject, byte[] headers, byte[] payload, string? deliverSubject, string deletion)
        => (Subject, Headers, Payload, DeliverSubject, Deletion) = (Encoding.UTF8.GetBytes(subject), headers, payload, deliverSubject, Encoding.UTF8.GetBytes(deletion));

    /// <summary>The subject of the request.</summary>
    public byte[] Subject { get; }

    /// <summary>Its headers.</summary>
    public byte[] Headers { get; }

    /// <summary>Its payload.</summary>
    public byte[] Payload { get; }

    /// <summary>The subject to which a durable consumer delivers; null when the response contains it.</summary>
    public string? DeliverSubject { get; }

    /// <summary>The prefix of the subject that deletes the consumer; its name is appended.</summary>
    public byte[] Deletion { get; }

    /// <summary>Creates the request.</summary>
    /// <param name="target">The stream that copies. Its lock is held.</param>
    /// <param name="source">The source.</param>
    /// <param name="next">The origin's sequence to begin with; 0 to begin as configured.</param>
    /// <param name="identity">The identity of the origin; empty for any stream of that name.</param>
    /// <param name="level">The API level to request: <see cref="IdentityLevel"/>, <see cref="SourcingLevel"/> or 0 for older servers.</param>
    public static SourceRequest Create(MessageStream target, StreamSource source, ulong next, string identity, int level)
    {
        var isMirror = target.Config.Mirror is not null;
        byte[] headers = level > 0 ? MessageHeaders.With([], "Nats-Required-Api-Level"u8, Encoding.ASCII.GetBytes(level.ToString(CultureInfo.InvariantCulture))) : [];
        if (level >= IdentityLevel && !isMirror) headers = StreamIdentity.Ask(headers, identity);
        var deletion = Api(source, $"CONSUMER.DELETE.{source.Name}.");
        if (source.Consumer is { } durable)
            return new SourceRequest(Api(source, $"CONSUMER.RESET.{source.Name}.{durable.Name}"), headers, [], durable.DeliverSubject, deletion);
        var config = Configure(target, source, isMirror, next, level);
        var subject = config.FilterSubject is { } filter ? $"CONSUMER.CREATE.{source.Name}.{config.Name}.{filter}" : $"CONSUMER.CREATE.{source.Name}";
        var create = new ConsumerCreateRequest { Stream = source.Name, Config = config };
        return new SourceRequest(Api(source, subject), headers, JsonSerializer.SerializeToUtf8Bytes(create, ConsumerJson.Default.ConsumerCreateRequest), null, deletion);
    }

    private static ConsumerConfig Configure(MessageStream target, StreamSource source, bool isMirror, ulong next, int level)
    {
        var account = target.Account.Account.Name;
        var domain = target.Account.Engine.Options.Domain ?? "";
        var kind = isMirror ? "mirror" : "src";
        var metadata = new Dictionary<string, string>(StringComparer.Ordinal) { [$"_nats.{kind}.stream"] = target.Name, [$"_nats.{kind}.acc"] = account };
        if (domain.Length > 0) metadata[$"_nats.{kind}.domain"] = domain;
        var name = $"{(isMirror ? "JS_MIRROR" : "JS_SRC")}_{NameOf(target, source, isMirror, account, domain)}";
        var filters = source.TransformList.Count > 0 ? [.. source.TransformList.Select(static transform => transform.Source)] : new[] { source.FilterSubject ?? "" };
        var config = new ConsumerConfig
        {
            // An older server does not itself add a suffix to distinguish this consumer from the previous one.
            Name = level > 0 ? name : $"{name}_{target.Services.NextId()}",
            DeliverSubject = DeliverTo(source, isMirror),
            AckPolicy = AckPolicy.None,
            AckWait = AckWait,
            MaxDeliver = 1,
            Heartbeat = Heartbeat,
            FlowControl = true,
            Direct = true,
            Sourcing = level > 0,
            InactiveThreshold = InactiveThreshold,
            Metadata = metadata,
            FilterSubject = filters is [{ Length: > 0 } filter] ? filter : null,
            FilterSubjects = filters.Length > 1 ? filters : null,
        };
        if (next > 0) return config with { DeliverPolicy = DeliverPolicy.ByStartSequence, StartSequence = next };
        if (source.StartSequence > 0) return config with { DeliverPolicy = DeliverPolicy.ByStartSequence, StartSequence = source.StartSequence };
        return source.StartTime is { } time ? config with { DeliverPolicy = DeliverPolicy.ByStartTime, StartTime = time } : config;
    }

    // The same after each interruption, so that the origin's server recognizes the consumer's owner.
    private static string NameOf(MessageStream target, StreamSource source, bool isMirror, string account, string domain)
    {
        var id = ShortHash.Of(domain.Length > 0 ? $"{target.Name} {account} {domain}" : $"{target.Name} {account}");
        if (isMirror) return id;
        return ShortHash.Of(target.Config.SourceList.Count(other => other.Name == source.Name) > 1 ? $"{id} {source.IndexName}" : id);
    }

    private static string DeliverTo(StreamSource source, bool isMirror)
    {
        var kind = isMirror ? "M" : "S";
        return ShortHash.RandomSubject(source.External is { DeliverPrefix.Length: > 0 } external ? $"{external.DeliverPrefix.TrimEnd('.')}.{kind}" : $"$JS.{kind}");
    }

    private static string Api(StreamSource source, string rest)
        => source.External is { ApiPrefix.Length: > 0 } external ? $"{external.ApiPrefix.TrimEnd('.')}.{rest}" : $"$JS.API.{rest}";
}

using System.Text.Json;
using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Serialization;

/// <summary>The JSON of the stream API.</summary>
[JsonSourceGenerationOptions(
    PropertyNameCaseInsensitive = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    AllowTrailingCommas = false,
    Converters =
    [
        typeof(NanosecondsConverter), typeof(Rfc3339Converter), typeof(MomentConverter), typeof(AbsentInt32Converter), typeof(AbsentInt64Converter),
        typeof(AbsentUInt64Converter), typeof(AbsentBooleanConverter), typeof(TextListConverter), typeof(TextArrayConverter), typeof(TextMapConverter),
    ])]
[JsonSerializable(typeof(ApiReply))]
[JsonSerializable(typeof(SuccessReply))]
[JsonSerializable(typeof(StreamConfig))]
[JsonSerializable(typeof(StreamMetadata))]
[JsonSerializable(typeof(StreamInfoReply))]
[JsonSerializable(typeof(StreamInfoRequest))]
[JsonSerializable(typeof(StreamNamesRequest))]
[JsonSerializable(typeof(StreamNamesReply))]
[JsonSerializable(typeof(StreamListReply))]
[JsonSerializable(typeof(AccountInfoReply))]
[JsonSerializable(typeof(PubAckReply))]
[JsonSerializable(typeof(PurgeRequest))]
[JsonSerializable(typeof(PurgeReply))]
[JsonSerializable(typeof(MessageGetRequest))]
[JsonSerializable(typeof(MessageGetReply))]
[JsonSerializable(typeof(MessageDeleteRequest))]
[JsonSerializable(typeof(ClusterInfo))]
[JsonSerializable(typeof(CounterValue))]
[JsonSerializable(typeof(Dictionary<string, Dictionary<string, string>>))]
[JsonSerializable(typeof(StreamActionAdvisory))]
[JsonSerializable(typeof(ApiAuditAdvisory))]
[JsonSerializable(typeof(BatchAbandonedAdvisory))]
[JsonSerializable(typeof(StreamSourceInfo))]
[JsonSerializable(typeof(SnapshotRequest))]
[JsonSerializable(typeof(SnapshotReply))]
[JsonSerializable(typeof(RestoreRequest))]
[JsonSerializable(typeof(RestoreReply))]
[JsonSerializable(typeof(StreamState))]
[JsonSerializable(typeof(StreamTransferAdvisory))]
internal sealed partial class StreamJson : JsonSerializerContext
{
    private static StreamJson? _lenient;

    /// <summary>The same JSON, read without rejecting unknown members.</summary>
    public static StreamJson Lenient
        => _lenient ??= new StreamJson(new JsonSerializerOptions(Default.Options) { UnmappedMemberHandling = JsonUnmappedMemberHandling.Skip });
}

using System.Text.Json.Serialization;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream.Api;

/// <summary>The JSON of the JetStream API, without reflection.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault,
    Converters = [typeof(NanosecondsConverter)])]
[JsonSerializable(typeof(AccountInfo))]
[JsonSerializable(typeof(ApiError))]
[JsonSerializable(typeof(ConsumerConfig))]
[JsonSerializable(typeof(ConsumerCreateRequest))]
[JsonSerializable(typeof(ConsumerInfo))]
[JsonSerializable(typeof(ConsumerListReply))]
[JsonSerializable(typeof(ConsumerNamesReply))]
[JsonSerializable(typeof(ListRequest))]
[JsonSerializable(typeof(MessageDeleteRequest))]
[JsonSerializable(typeof(MessageGetReply))]
[JsonSerializable(typeof(MessageGetRequest))]
[JsonSerializable(typeof(PauseReply))]
[JsonSerializable(typeof(PauseRequest))]
[JsonSerializable(typeof(PullRequest))]
[JsonSerializable(typeof(ResetRequest))]
[JsonSerializable(typeof(RestoreReply))]
[JsonSerializable(typeof(RestoreRequest))]
[JsonSerializable(typeof(SnapshotReply))]
[JsonSerializable(typeof(SnapshotRequest))]
[JsonSerializable(typeof(StreamConfig))]
[JsonSerializable(typeof(StreamDetails))]
[JsonSerializable(typeof(StreamInfo))]
[JsonSerializable(typeof(StreamListReply))]
[JsonSerializable(typeof(StreamNamesReply))]
[JsonSerializable(typeof(StreamPurge))]
[JsonSerializable(typeof(SuccessReply))]
[JsonSerializable(typeof(UnpinRequest))]
internal sealed partial class JetStreamJson : JsonSerializerContext;

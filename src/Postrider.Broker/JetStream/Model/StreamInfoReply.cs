using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The response to creating, updating and reading a stream: the members of <see cref="StreamInfo"/>, and the page of
/// its subjects if it was requested.</summary>
internal sealed class StreamInfoReply : ApiReply
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingNull;

    public StreamInfoReply()
    {
    }

    public StreamInfoReply(StreamInfo info)
    {
        Config = info.Config;
        Created = info.Created;
        State = info.State;
        Domain = info.Domain;
        Mirror = info.Mirror;
        Sources = info.Sources;
        Timestamp = info.Timestamp;
    }

    [JsonPropertyName("total"), JsonIgnore(Condition = Empty)] public int? Total { get; init; }

    [JsonPropertyName("offset"), JsonIgnore(Condition = Empty)] public long? Offset { get; init; }

    [JsonPropertyName("limit"), JsonIgnore(Condition = Empty)] public int? Limit { get; init; }

    [JsonPropertyName("config"), JsonIgnore(Condition = Empty)] public StreamConfig? Config { get; init; }

    [JsonPropertyName("created"), JsonIgnore(Condition = Empty)] public DateTimeOffset? Created { get; init; }

    [JsonPropertyName("state"), JsonIgnore(Condition = Empty)] public StreamState? State { get; init; }

    [JsonPropertyName("domain"), JsonIgnore(Condition = Empty)] public string? Domain { get; init; }

    [JsonPropertyName("cluster"), JsonIgnore(Condition = Empty)] public ClusterInfo? Cluster { get; init; }

    [JsonPropertyName("mirror"), JsonIgnore(Condition = Empty)] public StreamSourceInfo? Mirror { get; init; }

    [JsonPropertyName("sources"), JsonIgnore(Condition = Empty)] public IReadOnlyList<StreamSourceInfo>? Sources { get; init; }

    [JsonPropertyName("ts"), JsonIgnore(Condition = Empty)] public DateTimeOffset? Timestamp { get; init; }

    [JsonPropertyName("did_create"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool DidCreate { get; init; }
}

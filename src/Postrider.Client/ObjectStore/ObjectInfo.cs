using System.Text.Json.Serialization;

namespace Postrider.Client.ObjectStore;

/// <summary>The information about an object.</summary>
public sealed record ObjectInfo
{
    /// <summary>The name.</summary>
    public string Name { get; init; } = "";

    /// <summary>A description.</summary>
    public string? Description { get; init; }

    /// <summary>Headers, each with one or more values.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>>? Headers { get; init; }

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>The storage options.</summary>
    public ObjectOptions? Options { get; init; }

    /// <summary>The bucket.</summary>
    public string Bucket { get; init; } = "";

    /// <summary>The id of its chunks; a new one each time the object is put.</summary>
    [JsonPropertyName("nuid")] public string Id { get; init; } = "";

    /// <summary>Its size in bytes.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public long Size { get; init; }

    /// <summary>When it was last put or changed.</summary>
    [JsonPropertyName("mtime"), JsonIgnore(Condition = JsonIgnoreCondition.Never)] public DateTimeOffset Modified { get; init; }

    /// <summary>The number of its chunks.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public int Chunks { get; init; }

    /// <summary><c>SHA-256=</c> followed by the hash of the bytes in base64url.</summary>
    public string? Digest { get; init; }

    /// <summary>Whether it was deleted.</summary>
    public bool Deleted { get; init; }

    /// <summary>The target, if it is a link.</summary>
    [JsonIgnore] public ObjectLink? Link => Options?.Link;
}

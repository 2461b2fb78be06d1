using System.Text.Json.Serialization;

namespace Postrider.Wire.Frames;

/// <summary>Subjects that a server allows and denies another one, in INFO.</summary>
public sealed record PermittedSubjects
{
    /// <summary>The allowed subjects; null allows all.</summary>
    [JsonPropertyName("allow"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string[]? Allow { get; set; }

    /// <summary>The denied subjects; null denies none.</summary>
    [JsonPropertyName("deny"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string[]? Deny { get; set; }
}

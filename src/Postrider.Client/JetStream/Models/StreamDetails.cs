using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>What a stream's information is to hold beyond its counts.</summary>
public sealed record StreamDetails
{
    /// <summary>Count messages by subject, for the subjects that match.</summary>
    public string? SubjectsFilter { get; init; }

    /// <summary>List the sequences of deleted messages.</summary>
    public bool DeletedDetails { get; init; }

    [JsonInclude] internal int Offset { get; init; }
}

using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>Additional details of a stream's information.</summary>
public sealed record StreamDetails
{
    /// <summary>Count messages by subject, for subjects that match this filter.</summary>
    public string? SubjectsFilter { get; init; }

    /// <summary>Whether to list the sequences of deleted messages.</summary>
    public bool DeletedDetails { get; init; }

    [JsonInclude] internal int Offset { get; init; }
}

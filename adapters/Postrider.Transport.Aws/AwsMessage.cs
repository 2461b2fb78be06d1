namespace Postrider.Transport.Aws;

/// <summary>A message in a service's format.</summary>
internal sealed class AwsMessage
{
    /// <summary>The body, or the detail of an event.</summary>
    internal required string Body { get; init; }

    /// <summary>Attributes, at most ten; none for an event, whose headers are in the detail.</summary>
    internal IReadOnlyList<KeyValuePair<string, string>> Attributes { get; init; } = [];

    /// <summary>The bytes that count towards the limits.</summary>
    internal required int Bytes { get; init; }

    /// <summary>The group of a FIFO destination; null for a standard one.</summary>
    internal string? GroupId { get; init; }

    /// <summary>The id by which a FIFO destination recognizes a repetition; null for a standard one.</summary>
    internal string? DeduplicationId { get; init; }

    /// <summary>How long the queue delays the message.</summary>
    internal int DelaySeconds { get; init; }

    /// <summary>The kind of an event.</summary>
    internal string DetailType { get; init; } = "";
}

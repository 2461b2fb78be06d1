namespace Postrider.Client.JetStream.Models;

/// <summary>The state of a source or mirror.</summary>
public sealed record StreamSourceInfo
{
    /// <summary>The copied stream.</summary>
    public string Name { get; init; } = "";

    /// <summary>Number of messages that are not copied yet.</summary>
    public ulong Lag { get; init; }

    /// <summary>Time since the last message; negative if there was none.</summary>
    public TimeSpan Active { get; init; }

    /// <summary>The subject filter.</summary>
    public string? FilterSubject { get; init; }

    /// <summary>The subject filters and transforms.</summary>
    public IReadOnlyList<SubjectTransform>? SubjectTransforms { get; init; }

    /// <summary>How the stream is accessed.</summary>
    public ExternalStream? External { get; init; }

    /// <summary>The error that prevents copying, or null.</summary>
    public ApiError? Error { get; init; }
}

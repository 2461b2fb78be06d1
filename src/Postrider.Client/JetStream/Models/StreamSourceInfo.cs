namespace Postrider.Client.JetStream.Models;

/// <summary>How far a source or mirror was copied.</summary>
public sealed record StreamSourceInfo
{
    /// <summary>The stream that is copied.</summary>
    public string Name { get; init; } = "";

    /// <summary>Messages that are still to be copied.</summary>
    public ulong Lag { get; init; }

    /// <summary>How long ago something came; negative when nothing has yet.</summary>
    public TimeSpan Active { get; init; }

    /// <summary>Which subjects are taken.</summary>
    public string? FilterSubject { get; init; }

    /// <summary>Which subjects are taken under which names.</summary>
    public IReadOnlyList<SubjectTransform>? SubjectTransforms { get; init; }

    /// <summary>How the stream is reached.</summary>
    public ExternalStream? External { get; init; }

    /// <summary>Why it cannot be copied, or null.</summary>
    public ApiError? Error { get; init; }
}

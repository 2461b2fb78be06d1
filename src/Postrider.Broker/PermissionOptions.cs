namespace Postrider.Broker;

/// <summary>The subjects that a user may publish and subscribe to.</summary>
public sealed record PermissionOptions
{
    /// <summary>Subjects for publishing; null allows all.</summary>
    public SubjectPermission? Publish { get; set; }

    /// <summary>Subjects for subscribing; null allows all.</summary>
    public SubjectPermission? Subscribe { get; set; }

    /// <summary>Allows replies to the messages that the user receives; null does not.</summary>
    public ResponsePermission? Responses { get; set; }
}

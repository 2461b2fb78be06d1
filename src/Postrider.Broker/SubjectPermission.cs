using Postrider.Wire.Frames;

namespace Postrider.Broker;

/// <summary>Allowed and denied subjects; a denied subject is denied even if an allowed one matches it too.</summary>
/// <remarks>Subjects may have wildcards. An entry of a subscribe permission may be <c>subject queue</c>: it then applies to
/// subscriptions in that queue group, which may have wildcards as well.</remarks>
public sealed record SubjectPermission
{
    /// <summary>Allowed subjects; null allows all, an empty list none.</summary>
    public IReadOnlyList<string>? Allow { get; set; }

    /// <summary>Denied subjects; null or empty denies none.</summary>
    public IReadOnlyList<string>? Deny { get; set; }

    /// <summary>The form announced to other servers.</summary>
    internal PermittedSubjects ToPermitted() => new() { Allow = Allow is null ? null : [.. Allow], Deny = Deny is { Count: > 0 } denied ? [.. denied] : null };
}

namespace Postrider.Broker;

/// <summary>The interest that a broker shares with the other servers of its cluster.</summary>
/// <remarks>Entries are subjects or patterns without queue groups, and apply to all accounts. Source: nats-server, <c>cluster { permissions }</c>.</remarks>
public sealed record RoutePermissionOptions
{
    /// <summary>Subjects whose interest is announced to the other servers: what the broker may receive from them. Null for all.</summary>
    public SubjectPermission? Import { get; set; }

    /// <summary>Subjects for which interest of the other servers is accepted: what is sent to them. Null for all.</summary>
    public SubjectPermission? Export { get; set; }

    /// <summary>Whether two sets of permissions are the same.</summary>
    internal static bool AreSame(RoutePermissionOptions? one, RoutePermissionOptions? other) => AreSame(one?.Import, other?.Import) && AreSame(one?.Export, other?.Export);

    private static bool AreSame(SubjectPermission? one, SubjectPermission? other) => AreSame(one?.Allow, other?.Allow) && AreSame(one?.Deny, other?.Deny);

    private static bool AreSame(IReadOnlyList<string>? one, IReadOnlyList<string>? other)
        => one is null == other is null && (one ?? []).SequenceEqual(other ?? [], StringComparer.Ordinal);
}

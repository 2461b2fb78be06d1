using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>Permissions in claims as the broker's own.</summary>
internal static class ClaimPermissionOptions
{
    /// <summary>Turns permissions into options.</summary>
    /// <returns>Null when nothing is restricted.</returns>
    public static PermissionOptions? Create(ClaimPermissions permissions)
    {
        if (permissions.IsEmpty) return null;
        var options = new PermissionOptions { Publish = Create(permissions.Publish), Subscribe = Create(permissions.Subscribe) };
        if (permissions.Responses is not { } responses) return options;
        var allowed = new ResponsePermission();
        // Zero takes the default; a negative number is no limit.
        if (responses.MaxMessages != 0) allowed.MaxMessages = responses.MaxMessages;
        if (responses.Expires != TimeSpan.Zero) allowed.Expires = responses.Expires;
        options.Responses = allowed;
        return options;
    }

    // An empty list allows everything, as a missing one.
    private static SubjectPermission? Create(SubjectAccess access)
        => access.IsEmpty ? null : new SubjectPermission { Allow = access.Allow.Count > 0 ? [.. access.Allow] : null, Deny = [.. access.Deny] };
}

using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>Converts permissions in claims to the broker's options.</summary>
internal static class ClaimPermissionOptions
{
    /// <summary>Converts permissions to options.</summary>
    /// <returns>Null when nothing is restricted.</returns>
    public static PermissionOptions? Create(ClaimPermissions permissions)
    {
        if (permissions.IsEmpty) return null;
        var options = new PermissionOptions { Publish = Create(permissions.Publish), Subscribe = Create(permissions.Subscribe) };
        if (permissions.Responses is not { } responses) return options;
        var allowed = new ResponsePermission();
        // Zero means the default; a negative number means no limit.
        if (responses.MaxMessages != 0) allowed.MaxMessages = responses.MaxMessages;
        if (responses.Expires != TimeSpan.Zero) allowed.Expires = responses.Expires;
        options.Responses = allowed;
        return options;
    }

    // An empty list allows everything, like a missing one.
    private static SubjectPermission? Create(SubjectAccess access)
        => access.IsEmpty ? null : new SubjectPermission { Allow = access.Allow.Count > 0 ? [.. access.Allow] : null, Deny = [.. access.Deny] };
}

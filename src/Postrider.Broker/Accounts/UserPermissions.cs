namespace Postrider.Broker.Accounts;

/// <summary>What a user may publish and subscribe to, prepared for checks. Shared by the user's connections.</summary>
internal sealed class UserPermissions
{
    private UserPermissions(PermissionOptions options)
    {
        Options = options;
        Responses = options.Responses;
        Publish = SubjectPermissionSet.ForPublish(options.Publish, nothingUnlessAllowed: Responses is not null);
        Subscribe = SubjectPermissionSet.ForSubscribe(options.Subscribe);
    }

    /// <summary>The options that the permissions were created from.</summary>
    public PermissionOptions Options { get; }

    /// <summary>What may be published; null for anything.</summary>
    public SubjectPermissionSet? Publish { get; }

    /// <summary>What may be subscribed to; null for anything.</summary>
    public SubjectPermissionSet? Subscribe { get; }

    /// <summary>Whether and how the user may publish to reply subjects; null when only <see cref="Publish"/> decides.</summary>
    public ResponsePermission? Responses { get; }

    /// <summary>Creates permissions.</summary>
    /// <param name="options">The options, or null for anything.</param>
    /// <returns>Null when nothing is restricted.</returns>
    public static UserPermissions? Create(PermissionOptions? options) => options is null ? null : new UserPermissions(options);
}

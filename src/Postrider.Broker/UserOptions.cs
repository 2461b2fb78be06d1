namespace Postrider.Broker;

/// <summary>A user that may connect.</summary>
public sealed record UserOptions
{
    /// <summary>The user's name.</summary>
    public required string Name { get; set; }

    /// <summary>The password, in clear or as a bcrypt hash.</summary>
    public string Password { get; set; } = "";

    /// <summary>The user's permissions; null takes <see cref="AuthorizationOptions.DefaultPermissions"/>.</summary>
    public PermissionOptions? Permissions { get; set; }

    /// <summary>Allowed connection types of the user, such as <c>STANDARD</c> or <c>WEBSOCKET</c>; null allows all.</summary>
    public IReadOnlyList<string>? AllowedConnectionTypes { get; set; }
}

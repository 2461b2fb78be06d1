namespace Postrider.Broker;

/// <summary>One user who may connect.</summary>
public sealed record UserOptions
{
    /// <summary>The user's name.</summary>
    public required string Name { get; set; }

    /// <summary>The password, in clear or as a bcrypt hash.</summary>
    public string Password { get; set; } = "";

    /// <summary>What the user may do; null takes <see cref="AuthorizationOptions.DefaultPermissions"/>.</summary>
    public PermissionOptions? Permissions { get; set; }

    /// <summary>Kinds of connection the user may come by, such as <c>STANDARD</c> or <c>WEBSOCKET</c>; null allows all.</summary>
    public IReadOnlyList<string>? AllowedConnectionTypes { get; set; }
}

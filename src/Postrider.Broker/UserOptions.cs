namespace Postrider.Broker;

/// <summary>A user that may connect: with a name and a password, or with an nkey.</summary>
public sealed record UserOptions
{
    /// <summary>The user's name, or its public nkey, <c>U…</c>, if <see cref="IsNkey"/> is set.</summary>
    public required string Name { get; set; }

    /// <summary>The password, in clear or as a bcrypt hash.</summary>
    public string Password { get; set; } = "";

    /// <summary>Whether the user authenticates by signing with its nkey instead of with a password. Default false.</summary>
    public bool IsNkey { get; set; }

    /// <summary>The user's permissions; null takes <see cref="AuthorizationOptions.DefaultPermissions"/>.</summary>
    public PermissionOptions? Permissions { get; set; }

    /// <summary>Allowed connection types of the user, such as <c>STANDARD</c> or <c>WEBSOCKET</c>; null allows all.</summary>
    public IReadOnlyList<string>? AllowedConnectionTypes { get; set; }
}

namespace Postrider.Broker;

/// <summary>The clients that may connect: one user, one token, or a list of users with their permissions.</summary>
/// <remarks>An empty name or token counts as not set: without user, token and users every client may connect. Passwords and tokens that begin with <c>$2a$</c>, <c>$2b$</c> or <c>$2y$</c> are bcrypt hashes.</remarks>
public sealed record AuthorizationOptions
{
    /// <summary>Name of the only user.</summary>
    public string? User { get; set; }

    /// <summary>Password of the only user, in clear or as a bcrypt hash.</summary>
    public string? Password { get; set; }

    /// <summary>Token that every client must send, in clear or as a bcrypt hash.</summary>
    public string? Token { get; set; }

    /// <summary>Users with their own permissions.</summary>
    public IReadOnlyList<UserOptions> Users { get; set; } = [];

    /// <summary>Permissions of users without their own; null allows everything. They do not apply to clients with a token, nor
    /// to clients that need no credentials.</summary>
    public PermissionOptions? DefaultPermissions { get; set; }

    /// <summary>Name of the user for clients without credentials; null rejects such clients.</summary>
    public string? NoAuthUser { get; set; }

    /// <summary>A service that authenticates clients; null for none. Not in operator mode.</summary>
    public AuthCalloutOptions? Callout { get; set; }

    /// <summary>Whether clients must authenticate.</summary>
    internal bool IsRequired => !string.IsNullOrEmpty(User) || !string.IsNullOrEmpty(Token) || Users.Count > 0;
}

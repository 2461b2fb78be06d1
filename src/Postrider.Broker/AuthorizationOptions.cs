namespace Postrider.Broker;

/// <summary>Who may connect: one user, one token, or a list of users with their permissions.</summary>
/// <remarks>An empty name or token is as if it were not there: without user, token and users anybody may connect. Passwords and tokens that begin with <c>$2a$</c>, <c>$2b$</c> or <c>$2y$</c> are bcrypt hashes.</remarks>
public sealed record AuthorizationOptions
{
    /// <summary>Name of the only user.</summary>
    public string? User { get; set; }

    /// <summary>Password of the only user, in clear or as a bcrypt hash.</summary>
    public string? Password { get; set; }

    /// <summary>Token that every client must give, in clear or as a bcrypt hash.</summary>
    public string? Token { get; set; }

    /// <summary>Users with their own permissions.</summary>
    public IReadOnlyList<UserOptions> Users { get; set; } = [];

    /// <summary>Permissions of users that have none of their own; null allows everything. Who gives a token, and who need not say
    /// who it is, is no user.</summary>
    public PermissionOptions? DefaultPermissions { get; set; }

    /// <summary>Name of the user that a client without credentials becomes; null refuses such clients.</summary>
    public string? NoAuthUser { get; set; }

    /// <summary>Whether a client must say who it is.</summary>
    internal bool IsRequired => !string.IsNullOrEmpty(User) || !string.IsNullOrEmpty(Token) || Users.Count > 0;
}

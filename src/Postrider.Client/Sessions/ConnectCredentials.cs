namespace Postrider.Client;

/// <summary>The credentials that a client sends for one connection.</summary>
/// <remarks>Its text only contains the kind, so that it may be logged.</remarks>
public sealed class ConnectCredentials
{
    /// <summary>The user name; null for none.</summary>
    public string? User { get; init; }

    /// <summary>The user's password; null for none.</summary>
    public string? Password { get; init; }

    /// <summary>The token for a server that requires one; null for none.</summary>
    public string? Token { get; init; }

    /// <summary>The user's public nkey, <c>U…</c>; null for none.</summary>
    public string? Nkey { get; init; }

    /// <summary>The user's JWT; null for none.</summary>
    public string? Jwt { get; init; }

    /// <summary>The server's nonce, signed by the user's key: 64 bytes; empty for none.</summary>
    public ReadOnlyMemory<byte> Signature { get; init; }

    /// <summary>Whether another attempt used the same credentials; the signature differs by its nonce.</summary>
    internal bool IsSameAs(ConnectCredentials other)
        => (User, Password, Token, Nkey, Jwt) == (other.User, other.Password, other.Token, other.Nkey, other.Jwt);

    /// <summary>The kind of credentials.</summary>
    public override string ToString() => this switch
    {
        { Jwt: not null } => "JWT",
        { Nkey: { } key } => $"nkey {key}",
        { Token: not null } => "token",
        { User: { } user } => $"user {user}",
        _ => "none",
    };
}

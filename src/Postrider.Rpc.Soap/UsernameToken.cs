namespace Postrider.Rpc.Soap;

/// <summary>A username and password in the envelope's header: a WS-Security UsernameToken with a plain-text password.</summary>
/// <param name="username">The username.</param>
/// <param name="password">The password.</param>
/// <remarks>Sent over TLS only: both sides reject it on other connections. Source: Web Services Security UsernameToken Profile 1.0
/// (OASIS, 2004).</remarks>
public sealed class UsernameToken(string username, string password)
{
    /// <summary>The name.</summary>
    public string Username { get; } = username;

    /// <summary>The password.</summary>
    public string Password { get; } = password;
}

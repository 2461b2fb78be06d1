namespace Postrider.Rpc.Soap;

/// <summary>A name and a password in an envelope's header: WS-Security's UsernameToken with the password as text.</summary>
/// <param name="username">The name.</param>
/// <param name="password">The password.</param>
/// <remarks>It goes over TLS only: both ends refuse it elsewhere. Source: Web Services Security UsernameToken Profile 1.0 (OASIS, 2004).</remarks>
public sealed class UsernameToken(string username, string password)
{
    /// <summary>The name.</summary>
    public string Username { get; } = username;

    /// <summary>The password.</summary>
    public string Password { get; } = password;
}

using System.Net;

namespace Postrider.Broker.Trust;

/// <summary>A client with a user's token.</summary>
/// <param name="Token">The token; null or empty for none.</param>
/// <param name="Nonce">The nonce of the client's INFO.</param>
/// <param name="Signature">The signature that the client sent.</param>
/// <param name="ConnectionType">The type of its connection, such as <c>STANDARD</c>.</param>
/// <param name="Address">Its address; null in the broker's own process.</param>
internal readonly record struct UserTokenRequest(string? Token, string Nonce, string? Signature, string ConnectionType, IPAddress? Address)
{
    /// <summary>Whether the signature was verified before: a connection does not sign again.</summary>
    public bool HasSigned { get; init; }
}

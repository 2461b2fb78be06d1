using System.Security.Cryptography.X509Certificates;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>The credentials of a connection.</summary>
/// <param name="Connect">The client's CONNECT.</param>
/// <param name="Certificate">Its certificate; null without one.</param>
/// <param name="Nonce">The nonce of its INFO; empty without one, and for a client that has signed before.</param>
/// <param name="ConnectionType">The connection type that users can be restricted to: STANDARD, WEBSOCKET or IN_PROCESS.</param>
internal readonly record struct AuthenticationRequest(ConnectInfo Connect, X509Certificate2? Certificate, string Nonce, string ConnectionType);

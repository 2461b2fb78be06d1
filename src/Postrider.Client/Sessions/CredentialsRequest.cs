namespace Postrider.Client;

/// <summary>A connection that needs credentials.</summary>
/// <param name="Server">The server, <c>host:port</c>.</param>
/// <param name="Nonce">The bytes to sign for this connection, as the server sent them; empty for a server that requires no signature.</param>
/// <param name="Attempt">1 for the client's first connection, incremented for each attempt after it.</param>
/// <param name="LastRejection">Why the previous attempt was rejected, if it was because of the credentials; null otherwise.</param>
public sealed record CredentialsRequest(string Server, ReadOnlyMemory<byte> Nonce, long Attempt, NatsClientException? LastRejection);

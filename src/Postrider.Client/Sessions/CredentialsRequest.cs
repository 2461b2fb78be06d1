namespace Postrider.Client;

/// <summary>A connection that needs credentials.</summary>
/// <param name="Server">The server, <c>host:port</c>.</param>
/// <param name="Nonce">The bytes to sign for this one connection, as the server sent them; empty for a server that asks for no signature.</param>
/// <param name="Attempt">1 for the client's first connection, one more for each attempt after it.</param>
/// <param name="LastRejection">Why the attempt before this one was rejected, when it was the credentials; null otherwise.</param>
public sealed record CredentialsRequest(string Server, ReadOnlyMemory<byte> Nonce, long Attempt, NatsClientException? LastRejection);

using Postrider.Credentials;

namespace Postrider.Broker.Sessions;

/// <summary>The content of a request to an authorization callout: a client and its credentials.</summary>
/// <param name="Client">The connection.</param>
/// <param name="Connect">Its CONNECT.</param>
/// <param name="Tls">Its TLS; null without TLS.</param>
internal sealed record CalloutRequest(AuthorizationClient Client, AuthorizationConnect Connect, AuthorizationTls? Tls);

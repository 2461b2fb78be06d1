using Postrider.Credentials;

namespace Postrider.Broker.Sessions;

/// <summary>What an authorization callout is told of a client.</summary>
/// <param name="Client">The connection.</param>
/// <param name="Connect">What it said in CONNECT.</param>
/// <param name="Tls">Its TLS; null without TLS.</param>
internal sealed record CalloutQuestion(AuthorizationClient Client, AuthorizationConnect Connect, AuthorizationTls? Tls);

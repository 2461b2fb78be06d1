using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The request of a server to an authorization callout to authenticate a client.</summary>
/// <remarks><see cref="JwtClaims.Subject"/> is the account whose callout is requested; the server signs, and its audience is
/// <see cref="RequestAudience"/>. Source: nats-io/jwt, authorization request.</remarks>
public sealed record AuthorizationRequestClaims : JwtClaims
{
    /// <summary>The audience of requests.</summary>
    public const string RequestAudience = "nats-authorization-request";

    /// <inheritdoc/>
    public override ClaimsType Type => ClaimsType.AuthorizationRequest;

    /// <summary>The requesting server.</summary>
    public required AuthorizationServer Server { get; init; }

    /// <summary>The public key that the user in the response must have; created for this request only.</summary>
    public required string UserKey { get; init; }

    /// <summary>The connection.</summary>
    public AuthorizationClient Client { get; init; } = new();

    /// <summary>The contents of the client's CONNECT.</summary>
    public AuthorizationConnect Connect { get; init; } = new();

    /// <summary>Its TLS; null without TLS.</summary>
    public AuthorizationTls? Tls { get; init; }

    /// <inheritdoc/>
    internal override NkeyKind SubjectKind => NkeyKind.Account;

    /// <inheritdoc/>
    internal override ReadOnlySpan<NkeyKind> IssuerKinds => [NkeyKind.Server];

    internal static AuthorizationRequestClaims ReadDetails(string subject, ClaimsReader details) => new()
    {
        Subject = subject,
        Server = AuthorizationServer.Read(details.ObjectOrEmpty("server_id")),
        UserKey = details.Text("user_nkey") ?? "",
        Client = AuthorizationClient.Read(details.ObjectOrEmpty("client_info")),
        Connect = AuthorizationConnect.Read(details.ObjectOrEmpty("connect_opts")),
        Tls = details.Object("client_tls") is { } tls ? AuthorizationTls.Read(tls) : null,
    };

    /// <inheritdoc/>
    internal override void WriteDetails(Utf8JsonWriter writer)
    {
        Server.Write(writer);
        writer.WriteString("user_nkey", UserKey);
        Client.Write(writer);
        Connect.Write(writer);
        Tls?.Write(writer);
    }

    private protected override void AddProblems(List<string> problems)
    {
        if (!PublicNkey.IsValid(UserKey, NkeyKind.User)) problems.Add($"The user's key '{UserKey}' is not a user key.");
        if (!PublicNkey.IsValid(Server.Id, NkeyKind.Server)) problems.Add($"The server's id '{Server.Id}' is not a server key.");
    }
}

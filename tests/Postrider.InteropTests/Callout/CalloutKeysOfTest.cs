using Postrider.Credentials;

namespace Postrider.InteropTests.Callout;

/// <summary>The keys of a callout, and what it says about clients.</summary>
internal sealed class CalloutKeysOfTest : IDisposable
{
    /// <summary>Signs users and answers.</summary>
    public NkeyPair Issuer { get; init; } = NkeyPair.Create(NkeyKind.Account);

    /// <summary>An account that nobody trusts.</summary>
    public NkeyPair Stranger { get; } = NkeyPair.Create(NkeyKind.Account);

    /// <summary>Encrypts.</summary>
    public CurveKeyPair Curve { get; } = CurveKeyPair.Create();

    /// <summary>A curve key that the server does not know.</summary>
    public CurveKeyPair OtherCurve { get; } = CurveKeyPair.Create();

    /// <summary>The account that users are put in: a name, or a key in operator mode.</summary>
    public string Target { get; init; } = "APP";

    /// <summary>The key of that account; null outside of operator mode.</summary>
    public NkeyPair? TargetKey { get; init; }

    /// <summary>The answer about a client.</summary>
    /// <param name="request">What is asked.</param>
    /// <param name="name">The client's name.</param>
    public string Answer(AuthorizationRequestClaims request, string name)
    {
        var user = new UserClaims
        {
            Subject = name == "other user" ? NewUser() : request.UserKey,
            Name = name == "nameless" ? null : "Alice",
            Audience = TargetKey is not null ? null : name == "no account" ? "NOPE" : name == "home account" ? "AUTH" : Target,
            Expires = name == "expired" ? DateTimeOffset.UtcNow.AddMinutes(-1) : null,
            IssuerAccount = name == "issuer account" ? Issuer.PublicKey : null,
            Settings = new UserSettings
            {
                Permissions = name == "free" ? new ClaimPermissions() : new ClaimPermissions { Publish = new SubjectAccess { Deny = ["nok"] }, Subscribe = new SubjectAccess { Deny = ["secret"] } },
                AllowedConnectionTypes = name == "other connection type" ? ["WEBSOCKET"] : [],
                MaxPayload = name == "small payload" ? 2 : null,
            },
        };
        var signer = name == "stranger" ? Stranger : name == "home account" ? Issuer : TargetKey ?? Issuer;
        return new AuthorizationResponseClaims
        {
            Subject = name == "answer about other" ? NewUser() : request.UserKey,
            Audience = name == "other server" ? NewServer() : request.Server.Id,
            Error = name == "refused" ? "no such user" : null,
            Jwt = name == "refused" ? null : user.Encode(signer),
        }.Encode(name == "answer by stranger" ? Stranger : Issuer);
    }

    public void Dispose()
    {
        Issuer.Dispose();
        Stranger.Dispose();
        Curve.Dispose();
        OtherCurve.Dispose();
        TargetKey?.Dispose();
    }

    private static string NewUser()
    {
        using var pair = NkeyPair.Create(NkeyKind.User);
        return pair.PublicKey;
    }

    private static string NewServer()
    {
        using var pair = NkeyPair.Create(NkeyKind.Server);
        return pair.PublicKey;
    }
}

using System.Buffers;
using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using Postrider.Credentials.Claims;
using Postrider.Credentials.Nkeys;

namespace Postrider.Credentials;

/// <summary>Reads and verifies NATS tokens: JWTs of version 2, signed with <c>ed25519-nkey</c>, and of version 1, from tools before 2020.</summary>
/// <remarks>
/// Claims of version 1 are returned as those of version 2; they are never written. Authorization requests and responses exist in version 2 only.
/// A token that is returned was signed by its <see cref="JwtClaims.Issuer"/>, which is a key that may issue such claims. Whether that
/// issuer is trusted is for the caller to decide. Thread-safe. Source: nats-io/jwt.
/// </remarks>
public static class NatsJwt
{
    /// <summary>The longest token that is read or written, in characters: 1 MiB.</summary>
    public const int MaxTokenLength = 1024 * 1024;

    private const string Algorithm = "ed25519-nkey";
    private const string FirstAlgorithm = "ed25519";
    private const int FormatVersion = 2;

    private static readonly SearchValues<char> Letters = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    private static readonly JsonDocumentOptions Options = new() { AllowDuplicateProperties = false, MaxDepth = 32 };

    /// <summary>Reads a token, verifies its signature and that it is valid now.</summary>
    /// <param name="token">The token.</param>
    /// <param name="timeProvider">The clock; null for the system's.</param>
    /// <exception cref="CredentialsException">The token is rejected; the code gives the reason.</exception>
    public static JwtClaims Decode(string token, TimeProvider? timeProvider = null)
    {
        var claims = DecodeAnyTime(token);
        claims.CheckTime((timeProvider ?? TimeProvider.System).GetUtcNow());
        return claims;
    }

    /// <summary>Reads a token with claims of one type, verifies its signature and that it is valid now.</summary>
    /// <typeparam name="T">The type of claims.</typeparam>
    /// <param name="token">The token.</param>
    /// <param name="timeProvider">The clock; null for the system's.</param>
    /// <exception cref="CredentialsException">The token is rejected, or has claims of another type; the code gives the reason.</exception>
    public static T Decode<T>(string token, TimeProvider? timeProvider = null)
        where T : JwtClaims
        => Require<T>(Decode(token, timeProvider));

    /// <summary>Reads a token and verifies its signature, even if it has expired or is not valid yet.</summary>
    /// <param name="token">The token.</param>
    /// <exception cref="CredentialsException">The token is rejected; the code gives the reason.</exception>
    public static JwtClaims DecodeAnyTime(string token)
    {
        ArgumentNullException.ThrowIfNull(token);
        if (token.Length > MaxTokenLength)
            throw new CredentialsException(CredentialsErrorCode.TokenTooLarge, $"The token has {token.Length} characters, more than {MaxTokenLength}.");
        // The end of a line, as in a file.
        token = token.TrimEnd('\r', '\n');
        var first = token.IndexOf('.', StringComparison.Ordinal);
        var second = first < 0 ? -1 : token.IndexOf('.', first + 1);
        if (second < 0 || token.IndexOf('.', second + 1) >= 0) throw Invalid("A token has three parts separated by dots: header, claims and signature.");
        var (claims, version) = ReadParts(token, first, second);
        var signature = DecodePart(token.AsSpan(second + 1), "signature");
        var issuer = PublicNkey.TryParse(claims.Issuer, out var key) ? key : throw Invalid($"The issuer '{claims.Issuer}' in the token is not a public nkey.");
        // In version 1 the header is not signed.
        var signedFrom = version == FormatVersion ? 0 : first + 1;
        if (!issuer.Verify(Encoding.ASCII.GetBytes(token, signedFrom, second - signedFrom), signature))
            throw new CredentialsException(CredentialsErrorCode.InvalidSignature, $"The signature of the token of {claims.Describe()} was not made by its issuer {issuer}, or the token was changed.");
        if (!claims.IssuerKinds.Contains(issuer.Kind)) TokenEncoder.ThrowWrongIssuer(claims, issuer.Kind);
        if (!PublicNkey.IsValid(claims.Subject, claims.SubjectKind))
            throw new CredentialsException(CredentialsErrorCode.InvalidClaims, $"The subject of {ClaimsTypes.NameOf(claims.Type)} claims must be {NkeyText.Describe(claims.SubjectKind)} key, got '{claims.Subject}'.");
        return claims;
    }

    /// <summary>Reads a token with claims of one type and verifies its signature, even if it has expired or is not valid yet.</summary>
    /// <typeparam name="T">The type of claims.</typeparam>
    /// <param name="token">The token.</param>
    /// <exception cref="CredentialsException">The token is rejected, or has claims of another type; the code gives the reason.</exception>
    public static T DecodeAnyTime<T>(string token)
        where T : JwtClaims
        => Require<T>(DecodeAnyTime(token));

    private static T Require<T>(JwtClaims claims)
        where T : JwtClaims
        => claims as T ?? throw new CredentialsException(CredentialsErrorCode.WrongClaimsType, $"The token has {ClaimsTypes.NameOf(claims.Type)} claims, {typeof(T).Name} were expected.");

    private static (JwtClaims Claims, int Version) ReadParts(string token, int first, int second)
    {
        try
        {
            CheckHeader(DecodePart(token.AsSpan(0, first), "header"));
            return Read(DecodePart(token.AsSpan(first + 1, second - first - 1), "claims"));
        }
        catch (InvalidOperationException error)
        {
            // JSON may contain half of a surrogate pair, and bytes that are not UTF-8.
            throw Invalid("The token contains text that is not valid Unicode.", error);
        }
    }

    private static byte[] DecodePart(ReadOnlySpan<char> text, string part)
    {
        // The decoder accepts padding and spaces, so that one token would have several spellings.
        if (text.IsEmpty || text.ContainsAnyExcept(Letters)) throw Invalid($"The {part} of the token is not base64url without padding.");
        try
        {
            return Base64Url.DecodeFromChars(text);
        }
        catch (FormatException error)
        {
            throw Invalid($"The {part} of the token is not base64url without padding.", error);
        }
    }

    private static void CheckHeader(byte[] json)
    {
        using var document = Parse(json, "header");
        var header = new ClaimsReader(document.RootElement, "header");
        if (!"JWT".Equals(header.Text("typ"), StringComparison.OrdinalIgnoreCase)) throw Invalid($"The type '{header.Text("typ")}' of the token is not JWT.");
        var algorithm = header.Text("alg");
        if (!Algorithm.Equals(algorithm, StringComparison.OrdinalIgnoreCase) && !FirstAlgorithm.Equals(algorithm, StringComparison.OrdinalIgnoreCase))
            throw new CredentialsException(CredentialsErrorCode.UnsupportedAlgorithm, $"The token is signed with '{algorithm}'. Supported: {Algorithm}.");
    }

    private static (JwtClaims Claims, int Version) Read(byte[] json)
    {
        using var document = Parse(json, "claims");
        var claims = new ClaimsReader(document.RootElement, "claims");
        var details = claims.ObjectOrEmpty("nats");
        // Version 1 has its type beside the details, and no version number.
        var isFirst = claims.Text("type") is { Length: > 0 };
        var name = isFirst ? claims.Text("type") : details.Text("type");
        if (!isFirst && details.Number("version") is var version and not FormatVersion)
            throw new CredentialsException(CredentialsErrorCode.UnsupportedVersion, $"The token is of version {version}. Supported: versions {FormatVersion} and 1.");
        // The deletion request that nsc writes has no type, or a general one.
        var deletion = (name is null or "" or "generic") && details.Has("accounts") ? ClaimsType.AccountDeletion : (ClaimsType?)null;
        if ((ClaimsTypes.Find(name) ?? deletion) is not { } type)
            throw new CredentialsException(CredentialsErrorCode.WrongClaimsType, $"The token has claims of type '{name}'. Supported: operator, account, user, activation, authorization_request, authorization_response.");
        var subject = claims.Text("sub") ?? "";
        var read = isFirst ? FirstVersionClaims.Read(type, subject, claims, details) : ReadDetails(type, subject, details);
        read = read with
        {
            Issuer = claims.Text("iss"),
            Name = claims.Text("name"),
            Audience = claims.Text("aud"),
            Id = claims.Text("jti"),
            IssuedAt = claims.Time("iat"),
            Expires = claims.Time("exp"),
            NotBefore = claims.Time("nbf"),
            Tags = (isFirst ? claims : details).Texts("tags"),
        };
        return (read, isFirst ? 1 : FormatVersion);
    }

    private static JwtClaims ReadDetails(ClaimsType type, string subject, ClaimsReader details) => type switch
    {
        ClaimsType.Operator => OperatorClaims.ReadDetails(subject, details),
        ClaimsType.Account => AccountClaims.ReadDetails(subject, details),
        ClaimsType.User => UserClaims.ReadDetails(subject, details),
        ClaimsType.Activation => ActivationClaims.ReadDetails(subject, details),
        ClaimsType.AuthorizationRequest => AuthorizationRequestClaims.ReadDetails(subject, details),
        ClaimsType.AuthorizationResponse => AuthorizationResponseClaims.ReadDetails(subject, details),
        _ => AccountDeletionClaims.ReadDetails(subject, details),
    };

    private static JsonDocument Parse(byte[] json, string part)
    {
        try
        {
            var document = JsonDocument.Parse(json, Options);
            if (document.RootElement.ValueKind == JsonValueKind.Object) return document;
            document.Dispose();
        }
        catch (JsonException error)
        {
            throw Invalid($"The {part} of the token cannot be read: {error.Message}", error);
        }
        throw Invalid($"The {part} of the token is not a JSON object.");
    }

    private static CredentialsException Invalid(string message, Exception? inner = null) => new(CredentialsErrorCode.InvalidToken, message, inner);
}

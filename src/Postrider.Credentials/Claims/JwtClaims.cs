using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The claims of a NATS token. A token is their signed form: see <see cref="Encode"/> and <see cref="NatsJwt"/>.</summary>
/// <remarks>Immutable and thread-safe. Times are whole seconds in a token. Source: nats-io/jwt, version 2.</remarks>
public abstract record JwtClaims
{
    private protected JwtClaims()
    {
    }

    /// <summary>The type of the claims.</summary>
    public abstract ClaimsType Type { get; }

    /// <summary>The public key that the claims are about.</summary>
    public required string Subject { get; init; }

    /// <summary>The public key that signed the token; null before it is encoded.</summary>
    public string? Issuer { get; init; }

    /// <summary>The name, for people; null for none.</summary>
    public string? Name { get; init; }

    /// <summary>The audience; null for none. NATS does not use it for these claims.</summary>
    public string? Audience { get; init; }

    /// <summary>The token's id, a hash of its general claims; null before it is encoded.</summary>
    public string? Id { get; init; }

    /// <summary>When the token was issued; null before it is encoded. Revocations refer to it.</summary>
    public DateTimeOffset? IssuedAt { get; init; }

    /// <summary>The time after which the token is no longer valid; null for none.</summary>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>The time before which the token is not valid; null for none.</summary>
    public DateTimeOffset? NotBefore { get; init; }

    /// <summary>Words for people and tools, in lower case.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>The kind of key that <see cref="Subject"/> is.</summary>
    internal abstract NkeyKind SubjectKind { get; }

    /// <summary>The kinds of keys that may sign such claims.</summary>
    internal abstract ReadOnlySpan<NkeyKind> IssuerKinds { get; }

    /// <summary>Whether the subject signed itself.</summary>
    public bool IsSelfSigned => string.Equals(Subject, Issuer, StringComparison.Ordinal);

    /// <summary>Signs the claims.</summary>
    /// <param name="issuer">The key that issues them; it becomes <see cref="Issuer"/>.</param>
    /// <param name="timeProvider">The clock of <see cref="IssuedAt"/>; null for the system's.</param>
    /// <returns>The token.</returns>
    /// <exception cref="CredentialsException">
    /// With <see cref="CredentialsErrorCode.WrongIssuer"/>: a key of that kind may not issue such claims; with
    /// <see cref="CredentialsErrorCode.InvalidClaims"/>: the subject is not a key of the kind that the claims are about; with
    /// <see cref="CredentialsErrorCode.TokenTooLarge"/>: the token would be longer than readers accept.
    /// </exception>
    public string Encode(NkeyPair issuer, TimeProvider? timeProvider = null)
    {
        ArgumentNullException.ThrowIfNull(issuer);
        return TokenEncoder.Encode(this, issuer, (timeProvider ?? TimeProvider.System).GetUtcNow());
    }

    /// <summary>Checks for contradictions and invalid values; times are not checked.</summary>
    /// <returns>One sentence for each; empty when the claims are valid.</returns>
    public IReadOnlyList<string> FindProblems()
    {
        var problems = new List<string>();
        if (!PublicNkey.IsValid(Subject, SubjectKind)) problems.Add($"The subject '{Subject}' is not {Nkeys.NkeyText.Describe(SubjectKind)} key.");
        AddProblems(problems);
        return problems;
    }

    /// <summary>Throws when the token is not valid at a time.</summary>
    /// <param name="now">The time.</param>
    /// <exception cref="CredentialsException">With <see cref="CredentialsErrorCode.Expired"/> or <see cref="CredentialsErrorCode.NotYetValid"/>.</exception>
    public void CheckTime(DateTimeOffset now)
    {
        var seconds = now.ToUnixTimeSeconds();
        if (Expires is { } expires && seconds > expires.ToUnixTimeSeconds())
            throw new CredentialsException(CredentialsErrorCode.Expired, $"The token of {Describe()} expired at {expires:u}; it is {now:u}.");
        if (NotBefore is { } begins && seconds < begins.ToUnixTimeSeconds())
            throw new CredentialsException(CredentialsErrorCode.NotYetValid, $"The token of {Describe()} is not valid before {begins:u}; it is {now:u}.");
    }

    /// <summary>Type, name and subject, for messages.</summary>
    internal string Describe() => string.IsNullOrEmpty(Name) ? $"{ClaimsTypes.NameOf(Type)} {Subject}" : $"{ClaimsTypes.NameOf(Type)} '{Name}' ({Subject})";

    private protected abstract void AddProblems(List<string> problems);

    /// <summary>Writes the members of the object <c>nats</c>, without tags, type and version.</summary>
    internal abstract void WriteDetails(Utf8JsonWriter writer);
}

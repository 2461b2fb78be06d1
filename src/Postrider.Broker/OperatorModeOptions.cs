using Postrider.Credentials;

namespace Postrider.Broker;

/// <summary>Operator mode: accounts and users are not listed but have tokens, and the broker trusts the signatures of operators.</summary>
/// <remarks>A client then connects with its user's token: <c>.creds</c> files contain it. Not thread-safe; must not be changed once a broker
/// has it. Source: nats-server, decentralized JWT authentication.</remarks>
public sealed record OperatorModeOptions
{
    /// <summary>Tokens of the trusted operators.</summary>
    public IReadOnlyList<string> Operators { get; set; } = [];

    /// <summary>Public keys of operators, <c>O…</c>, that are trusted without a token. Only where <see cref="Operators"/> is empty.</summary>
    public IReadOnlyList<string> TrustedKeys { get; set; } = [];

    /// <summary>Where accounts are looked up; null for nowhere, which is not allowed with <see cref="Operators"/>.</summary>
    public AccountResolverOptions? Resolver { get; set; }

    /// <summary>Tokens of accounts by their public keys, <c>A…</c>, that the resolver knows from the start.</summary>
    public IReadOnlyDictionary<string, string> PreloadedAccounts { get; set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Public keys of the only accounts whose users may connect; empty allows all. The system account is always allowed.</summary>
    public IReadOnlyList<string> PinnedAccounts { get; set; } = [];

    /// <summary>Token of the user for clients without one: a bearer token, or one whose signing key has a scope. Null rejects such clients.</summary>
    public string? DefaultSentinel { get; set; }

    /// <summary>Whether operator mode is on.</summary>
    internal bool IsOn => Operators.Count > 0 || TrustedKeys.Count > 0;

    /// <summary>The operators' claims; their tokens are valid.</summary>
    internal IReadOnlyList<OperatorClaims> ReadOperators() => [.. Operators.Select(NatsJwt.DecodeAnyTime<OperatorClaims>)];
}

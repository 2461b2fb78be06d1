namespace Postrider.Credentials;

/// <summary>The kinds of nkeys. The first letter of a public key identifies the kind, and so does the second letter of a seed.</summary>
/// <remarks>Source: nkeys, prefix bytes.</remarks>
public enum NkeyKind
{
    /// <summary>An account: public keys start with <c>A</c>, seeds with <c>SA</c>.</summary>
    Account = 0,

    /// <summary>A cluster: <c>C</c>, <c>SC</c>.</summary>
    Cluster = 2 << 3,

    /// <summary>A server: <c>N</c>, <c>SN</c>.</summary>
    Server = 13 << 3,

    /// <summary>An operator: <c>O</c>, <c>SO</c>.</summary>
    Operator = 14 << 3,

    /// <summary>A user: <c>U</c>, <c>SU</c>.</summary>
    User = 20 << 3,

    /// <summary>A key to encrypt with, of curve X25519: <c>X</c>, <c>SX</c>. See <see cref="CurveKeyPair"/>.</summary>
    Curve = 23 << 3,
}

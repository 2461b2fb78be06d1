using System.Security.Cryptography;
using System.Text;

namespace Postrider.Broker.Accounts;

/// <summary>A password or token from the configuration: in clear, or a bcrypt hash.</summary>
/// <remarks>Immutable and thread-safe.</remarks>
internal sealed class StoredCredential(string stored)
{
    private readonly byte[] _bytes = Encoding.UTF8.GetBytes(stored);

    /// <summary>Whether a check is slow and must not run on a connection's loop.</summary>
    internal bool UsesPasswordHash { get; } = BcryptHash.IsHash(stored);

    /// <summary>The cost of a check against a hash; 0 for a secret in clear and for a malformed hash, whose checks take no time.</summary>
    internal int Cost { get; } = BcryptHash.CostOf(stored);

    /// <summary>A credential that nobody has, for attempts with names that do not exist.</summary>
    /// <param name="credentials">The credentials that do exist.</param>
    /// <returns>A hash that takes as long to check as the costliest of them; null if checks of all of them take no time.</returns>
    internal static StoredCredential? DecoyOf(IEnumerable<StoredCredential> credentials)
        => credentials.Select(static credential => credential.Cost).DefaultIfEmpty().Max() is > 0 and var cost ? new StoredCredential(BcryptHash.CreateUnmatched(cost)) : null;

    /// <summary>Whether another credential was configured with the same text, so that both have the same secret.</summary>
    internal bool IsSameAs(StoredCredential other) => _bytes.AsSpan().SequenceEqual(other._bytes);

    /// <summary>Whether <paramref name="given"/> is the secret, compared in constant time.</summary>
    internal bool Matches(ReadOnlySpan<byte> given) =>
        UsesPasswordHash ? BcryptHash.Matches(stored, given) : CryptographicOperations.FixedTimeEquals(_bytes, given);
}

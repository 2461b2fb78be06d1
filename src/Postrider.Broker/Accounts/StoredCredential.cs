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

    /// <summary>Whether another credential was configured with the same text, so that both have the same secret.</summary>
    internal bool IsSameAs(StoredCredential other) => _bytes.AsSpan().SequenceEqual(other._bytes);

    /// <summary>Whether <paramref name="given"/> is the secret, compared in constant time.</summary>
    internal bool Matches(ReadOnlySpan<byte> given) =>
        UsesPasswordHash ? BcryptHash.Matches(stored, given) : CryptographicOperations.FixedTimeEquals(_bytes, given);
}

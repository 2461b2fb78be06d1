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

    /// <summary>Whether another secret was written the same: who gave the one gave the other.</summary>
    internal bool IsSameAs(StoredCredential other) => _bytes.AsSpan().SequenceEqual(other._bytes);

    /// <summary>Whether <paramref name="given"/> is the secret, in a time that does not depend on how much of it agrees.</summary>
    internal bool Matches(ReadOnlySpan<byte> given) =>
        UsesPasswordHash ? BcryptHash.Matches(stored, given) : CryptographicOperations.FixedTimeEquals(_bytes, given);
}

using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Unicode;

namespace Postrider.Broker.Accounts;

/// <summary>Checks passwords against bcrypt hashes (<c>$2a$</c>, <c>$2b$</c>, <c>$2y$</c>).</summary>
/// <remarks>Slow by design: about 70 ms at cost 11, twice that per further step. Never call it on a connection's loop.
/// Thread-safe. Source: Provos and Mazières, "A Future-Adaptable Password Scheme", 1999.</remarks>
internal static class BcryptHash
{
    private const int Length = 60;
    private const int SettingsLength = 7;

    private static readonly SearchValues<char> s_alphabet = SearchValues.Create("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");

    /// <summary>Whether a stored secret claims to be a bcrypt hash, well-formed or not.</summary>
    internal static bool IsHash(string stored) =>
        stored is ['$', '2', 'a' or 'b' or 'y', '$', ..];

    /// <summary>Whether <paramref name="password"/> is what <paramref name="hash"/> was made from; false for a malformed hash.</summary>
    /// <param name="hash">The hash as configured.</param>
    /// <param name="password">The password in UTF-8; bytes after the 72nd do not count.</param>
    internal static bool Matches(string hash, ReadOnlySpan<byte> password) =>
        IsWellFormed(hash) && Utf8.IsValid(password) && BCrypt.Net.BCrypt.Verify(Encoding.UTF8.GetString(password), hash);

    /// <summary>The base-2 logarithm of a hash's rounds; 0 for a malformed hash, and for what is no hash.</summary>
    internal static int CostOf(string stored) => IsWellFormed(stored) ? int.Parse(stored.AsSpan(4, 2), CultureInfo.InvariantCulture) : 0;

    /// <summary>A well-formed hash of that cost that was made from no known password.</summary>
    internal static string CreateUnmatched(int cost) => string.Create(CultureInfo.InvariantCulture, $"$2b${cost:00}$").PadRight(Length, '.');

    // The library throws several exceptions for a malformed hash, IndexOutOfRangeException among them.
    private static bool IsWellFormed(string hash) =>
        IsHash(hash) && hash.Length == Length && hash[6] == '$'
        && (hash[4], hash[5]) is ('0', >= '4' and <= '9') or ('1' or '2', >= '0' and <= '9') or ('3', '0' or '1')
        && !hash.AsSpan(SettingsLength).ContainsAnyExcept(s_alphabet);
}

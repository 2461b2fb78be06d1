using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;

namespace Postrider.Broker.Accounts;

/// <summary>Checks passwords against bcrypt hashes (<c>$2a$</c>, <c>$2b$</c>, <c>$2y$</c>).</summary>
/// <remarks>Slow by design: about 70 ms at cost 11, twice that per further step. Never call it on a connection's loop.
/// Thread-safe. Source: Provos and Mazières, "A Future-Adaptable Password Scheme", 1999.</remarks>
internal static class Bcrypt
{
    private const int SaltBytes = 16;
    private const int HashBytes = 23;
    private const int MaxPasswordBytes = 72;
    private const int SettingsLength = 7;
    private const int SaltLength = 22;
    private const int TextLength = SettingsLength + SaltLength + 31;
    private const int MinCost = 4;
    private const int MaxCost = 31;
    private const string Alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    /// <summary>Whether a stored secret claims to be a bcrypt hash, well-formed or not.</summary>
    internal static bool IsHash(string stored) =>
        stored is ['$', '2', 'a' or 'b' or 'y', '$', ..];

    /// <summary>Whether <paramref name="password"/> is what <paramref name="hash"/> was made from; false for a malformed hash.</summary>
    internal static bool Matches(string hash, ReadOnlySpan<byte> password)
    {
        if (!TryRead(hash, out var cost, out var salt, out var expected))
            return false;
        return CryptographicOperations.FixedTimeEquals(Compute(password, salt, cost), expected);
    }

    /// <summary>Takes a hash apart.</summary>
    internal static bool TryRead(string hash, out int cost, [NotNullWhen(true)] out byte[]? salt, [NotNullWhen(true)] out byte[]? expected)
    {
        (cost, salt, expected) = (0, null, null);
        if (!IsHash(hash) || hash.Length != TextLength || hash[6] != '$' || !int.TryParse(hash.AsSpan(4, 2), out cost))
            return false;
        if (cost is < MinCost or > MaxCost)
            return false;
        salt = Decode(hash.AsSpan(SettingsLength, SaltLength), SaltBytes);
        expected = Decode(hash.AsSpan(SettingsLength + SaltLength), HashBytes);
        return salt is not null && expected is not null;
    }

    private static byte[] Compute(ReadOnlySpan<byte> password, byte[] salt, int cost)
    {
        // The key ends in a zero byte unless it is cut at 72.
        var key = new byte[Math.Min(password.Length + 1, MaxPasswordBytes)];
        password[..Math.Min(password.Length, key.Length)].CopyTo(key);
        var cipher = new Blowfish();
        cipher.Expand(key, salt);
        for (var rounds = 1L << cost; rounds > 0; rounds--)
        {
            cipher.Expand(key);
            cipher.Expand(salt);
        }
        CryptographicOperations.ZeroMemory(key);

        var text = "OrpheanBeholderScryDoubt"u8.ToArray();
        for (var i = 0; i < 64; i++)
            cipher.Encrypt(text);
        return text[..HashBytes];
    }

    private static byte[]? Decode(ReadOnlySpan<char> text, int length)
    {
        var bytes = new byte[length];
        var (bits, count, written) = (0, 0, 0);
        foreach (var symbol in text)
        {
            var value = Alphabet.IndexOf(symbol, StringComparison.Ordinal);
            if (value < 0)
                return null;
            bits = (bits << 6 | value) & 0xffff;
            count += 6;
            if (count < 8 || written == length)
                continue;
            count -= 8;
            bytes[written++] = (byte)(bits >> count);
        }
        return bytes;
    }
}

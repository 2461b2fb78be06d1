using System.Buffers;
using System.Security.Cryptography;

namespace Postrider.ClaimChecks;

/// <summary>Ids of stored bodies: SHA-256 hashes in lower-case hexadecimal digits.</summary>
internal static class ClaimId
{
    private const int Length = 2 * SHA256.HashSizeInBytes;

    private static readonly SearchValues<char> Digits = SearchValues.Create("0123456789abcdef");

    /// <summary>Whether a text has the form of an id.</summary>
    /// <param name="text">Text from a header or from a caller.</param>
    public static bool IsValid(string text) => text.Length == Length && !text.AsSpan().ContainsAnyExcept(Digits);
}

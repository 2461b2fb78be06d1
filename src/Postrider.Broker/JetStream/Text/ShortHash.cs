using System.Security.Cryptography;
using System.Text;

namespace Postrider.Broker.JetStream.Text;

/// <summary>The hash of eight letters and digits with which servers name streams and consumers to each other.</summary>
/// <remarks>Source: nats-server, observed.</remarks>
internal static class ShortHash
{
    private const int Length = 8;
    private const string Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    /// <summary>The hash of a text.</summary>
    public static string Of(string text) => string.Create(Length, SHA256.HashData(Encoding.UTF8.GetBytes(text)), static (hash, bytes) =>
    {
        for (var i = 0; i < hash.Length; i++) hash[i] = Digits[bytes[i] % Digits.Length];
    });

    /// <summary>A unique subject: a prefix and eight random letters and digits.</summary>
    /// <param name="prefix">The tokens before them, with or without a trailing dot.</param>
    public static string RandomSubject(string prefix)
    {
        var random = RandomNumberGenerator.GetString(Digits, Length);
        return prefix.EndsWith('.') ? prefix + random : $"{prefix}.{random}";
    }
}

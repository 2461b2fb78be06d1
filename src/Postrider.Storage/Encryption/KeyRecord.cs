using System.Security.Cryptography;
using System.Text.Json;

namespace Postrider.Storage.Encryption;

/// <summary>The stored record of a main key: enough to derive it again from the configured key, and to verify it.</summary>
/// <remarks>Immutable and thread-safe.</remarks>
/// <param name="Salt">Random bytes.</param>
/// <param name="Iterations">The number of iterations of the key derivation.</param>
/// <param name="Check">A known text, encrypted with the main key.</param>
internal sealed record KeyRecord(byte[] Salt, int Iterations, byte[] Check)
{
    private const int SaltBytes = 16;
    private const int MaxIterations = 100_000_000;

    private static ReadOnlySpan<byte> Known => "postrider"u8;

    /// <summary>Creates the record of a new main key.</summary>
    public static KeyRecord Create(string secret, int iterations, out MainKey main)
    {
        var salt = RandomNumberGenerator.GetBytes(SaltBytes);
        main = new MainKey(secret, salt, iterations);
        var check = new byte[AuthenticatedCipher.NonceBytes + Known.Length + AuthenticatedCipher.TagBytes];
        using var cipher = main.CreateCipher(StoreCipher.AesGcm);
        cipher.Encrypt(Known, check, salt);
        return new KeyRecord(salt, iterations, check);
    }

    /// <summary>Derives the main key.</summary>
    /// <returns>Null when the secret is wrong.</returns>
    public MainKey? TryDerive(string? secret)
    {
        if (secret is null || Check.Length != AuthenticatedCipher.NonceBytes + Known.Length + AuthenticatedCipher.TagBytes) return null;
        var main = new MainKey(secret, Salt, Iterations);
        Span<byte> text = stackalloc byte[Known.Length];
        using var cipher = main.CreateCipher(StoreCipher.AesGcm);
        return cipher.TryDecrypt(Check, text, Salt) ? main : null;
    }

    /// <summary>Writes the record as an object.</summary>
    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteBase64String("salt", Salt);
        json.WriteNumber("iterations", Iterations);
        json.WriteBase64String("check", Check);
        json.WriteEndObject();
    }

    /// <summary>Reads a record.</summary>
    /// <exception cref="FormatException">The JSON is not a valid record.</exception>
    public static KeyRecord Read(JsonElement json)
    {
        if (!json.TryGetProperty("salt", out var salt) || !salt.TryGetBytesFromBase64(out var saltBytes)
            || !json.TryGetProperty("iterations", out var number) || !number.TryGetInt32(out var iterations) || iterations is < 1 or > MaxIterations
            || !json.TryGetProperty("check", out var check) || !check.TryGetBytesFromBase64(out var checkBytes))
            throw new FormatException("The record must have salt, iterations and check.");
        return new KeyRecord(saltBytes, iterations, checkBytes);
    }
}

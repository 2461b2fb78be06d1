using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;

namespace Postrider.Credentials.Nkeys;

/// <summary>The text of keys and seeds: base32 of a prefix, 32 bytes and their checksum.</summary>
/// <remarks>Source: nkeys. A seed's prefix has two bytes, so that both of its first letters carry information.</remarks>
internal static class NkeyText
{
    public const int KeyBytes = 32;
    public const int PublicKeyLength = 56;
    public const int SeedLength = 58;

    private const int CheckBytes = 2;
    private const int PublicBytes = 1 + KeyBytes + CheckBytes;
    private const int SeedBytes = 2 + KeyBytes + CheckBytes;
    private const int SeedPrefix = 18 << 3;

    /// <summary>Writes a public key.</summary>
    public static string EncodePublicKey(NkeyKind kind, ReadOnlySpan<byte> key)
    {
        Span<byte> raw = stackalloc byte[PublicBytes];
        raw[0] = (byte)kind;
        key.CopyTo(raw[1..]);
        AddCheck(raw);
        return Base32.Encode(raw);
    }

    /// <summary>Reads a public key.</summary>
    /// <param name="text">The text.</param>
    /// <param name="kind">The kind.</param>
    /// <param name="key">Receives 32 bytes.</param>
    /// <returns>False for anything but a public key.</returns>
    public static bool TryDecodePublicKey(ReadOnlySpan<char> text, out NkeyKind kind, Span<byte> key)
    {
        Span<byte> raw = stackalloc byte[PublicBytes];
        kind = default;
        if (!Base32.TryDecode(text, raw) || !HasCheck(raw)) return false;
        kind = (NkeyKind)raw[0];
        raw[1..^CheckBytes].CopyTo(key);
        return Enum.IsDefined(kind);
    }

    /// <summary>Writes a seed.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="seed">32 bytes.</param>
    /// <param name="text">Receives <see cref="SeedLength"/> characters.</param>
    public static void EncodeSeed(NkeyKind kind, ReadOnlySpan<byte> seed, Span<char> text)
    {
        Span<byte> raw = stackalloc byte[SeedBytes];
        raw[0] = (byte)(SeedPrefix | ((int)kind >> 5));
        raw[1] = (byte)(((int)kind & 31) << 3);
        seed.CopyTo(raw[2..]);
        AddCheck(raw);
        Base32.Encode(raw, text);
        CryptographicOperations.ZeroMemory(raw);
    }

    /// <summary>Reads a seed.</summary>
    /// <param name="text">The text.</param>
    /// <param name="kind">The kind.</param>
    /// <param name="seed">Receives 32 bytes; to be wiped by the caller.</param>
    /// <returns>False for anything but a seed.</returns>
    public static bool TryDecodeSeed(ReadOnlySpan<char> text, out NkeyKind kind, Span<byte> seed)
    {
        Span<byte> raw = stackalloc byte[SeedBytes];
        kind = default;
        var isSeed = Base32.TryDecode(text, raw) && HasCheck(raw) && (raw[0] & 0xF8) == SeedPrefix && (raw[1] & 7) == 0;
        if (isSeed)
        {
            kind = (NkeyKind)(((raw[0] & 7) << 5) | (raw[1] >> 3));
            raw[2..^CheckBytes].CopyTo(seed);
            isSeed = Enum.IsDefined(kind);
        }
        CryptographicOperations.ZeroMemory(raw);
        return isSeed;
    }

    [DoesNotReturn]
    public static void ThrowInvalidKey(string? text)
        => throw new CredentialsException(CredentialsErrorCode.InvalidKey, LooksLikeSeed(text)
            ? "A seed was given where a public key is needed."
            : $"'{Shorten(text)}' is not a public nkey: it needs {PublicKeyLength} characters of A-Z and 2-7 with a valid checksum.");

    // The text is not included: it may be most of a seed.
    [DoesNotReturn]
    public static void ThrowInvalidSeed()
        => throw new CredentialsException(CredentialsErrorCode.InvalidSeed, $"The text is not the seed of an nkey: it needs {SeedLength} characters of A-Z and 2-7 that begin with S and have a valid checksum.");

    /// <summary>A kind with its article.</summary>
    public static string Describe(NkeyKind kind) => kind switch
    {
        NkeyKind.Account => "an account",
        NkeyKind.Cluster => "a cluster",
        NkeyKind.Server => "a server",
        NkeyKind.Operator => "an operator",
        NkeyKind.User => "a user",
        NkeyKind.Curve => "a curve",
        _ => "an unknown",
    };

    private static bool LooksLikeSeed(string? text) => text is ['S', ..];

    private static string Shorten(string? text) => text is { Length: > PublicKeyLength } ? $"{text[..PublicKeyLength]}…" : text ?? "";

    private static void AddCheck(Span<byte> raw) => BinaryPrimitives.WriteUInt16LittleEndian(raw[^CheckBytes..], Crc16.Compute(raw[..^CheckBytes]));

    private static bool HasCheck(ReadOnlySpan<byte> raw) => BinaryPrimitives.ReadUInt16LittleEndian(raw[^CheckBytes..]) == Crc16.Compute(raw[..^CheckBytes]);
}

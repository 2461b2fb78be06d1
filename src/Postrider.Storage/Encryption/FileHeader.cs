using System.Buffers.Binary;
using System.Security.Cryptography;
using Postrider.Storage.Records;

namespace Postrider.Storage.Encryption;

/// <summary>The beginning of an encrypted file: its own random key, encrypted with the main key.</summary>
/// <remarks>
/// <para>Shape: the same content twice, in separate sectors so that a torn write or a damaged sector only affects one. Little-endian: mark (8) |
/// cipher (1) | zeros (3) | CRC-32C of what follows, seeded with the cipher (4) | nonce (12) | encrypted key (32) | tag (16).</para>
/// <para>Thread-safe: no state.</para>
/// </remarks>
internal static class FileHeader
{
    /// <summary>Bytes before the first segment.</summary>
    public const int Bytes = 2 * SlotBytes;

    private const int SlotBytes = 512;
    private const int UsedBytes = 16 + SealedBytes;
    private const int SealedBytes = AuthenticatedCipher.NonceBytes + AuthenticatedCipher.KeyBytes + AuthenticatedCipher.TagBytes;

    private static ReadOnlySpan<byte> Mark => "PREncr-1"u8;

    /// <summary>Whether bytes begin with a header's mark.</summary>
    public static bool HasMark(ReadOnlySpan<byte> header) => header.StartsWith(Mark) || (header.Length > SlotBytes && header[SlotBytes..].StartsWith(Mark));

    /// <summary>Creates a key and writes the header of a new file.</summary>
    /// <param name="main">The main key.</param>
    /// <param name="cipher">The cipher.</param>
    /// <param name="target">Receives <see cref="Bytes"/>.</param>
    /// <returns>The file's cipher, owned by the caller.</returns>
    public static AuthenticatedCipher Create(MainKey main, StoreCipher cipher, Span<byte> target)
    {
        Span<byte> key = stackalloc byte[AuthenticatedCipher.KeyBytes];
        RandomNumberGenerator.Fill(key);
        try
        {
            WriteSlot(main, cipher, key, target[..SlotBytes]);
            WriteSlot(main, cipher, key, target[SlotBytes..Bytes]);
            return new AuthenticatedCipher(cipher, key);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(key);
        }
    }

    /// <summary>Reads a header.</summary>
    /// <param name="main">The main key.</param>
    /// <param name="header">The first bytes of the file.</param>
    /// <param name="isIntact">Whether a slot is undamaged: in this case the key is wrong.</param>
    /// <returns>The file's cipher, owned by the caller; null when neither slot can be decrypted.</returns>
    public static AuthenticatedCipher? Read(MainKey main, ReadOnlySpan<byte> header, out bool isIntact)
    {
        Span<byte> key = stackalloc byte[AuthenticatedCipher.KeyBytes];
        try
        {
            return TryRead(main, header, key, out var cipher, out isIntact) ? new AuthenticatedCipher(cipher, key) : null;
        }
        finally
        {
            CryptographicOperations.ZeroMemory(key);
        }
    }

    /// <summary>Re-encrypts the key of a file with another main key: one slot after the other, each flushed.</summary>
    /// <param name="file">The file.</param>
    /// <param name="before">The previous main key.</param>
    /// <param name="after">The new main key.</param>
    /// <returns>False when neither key matches.</returns>
    public static bool TryChangeKey(Files.IStoreFile file, MainKey before, MainKey after)
    {
        var header = new byte[Bytes];
        var read = header.AsSpan(0, file.Read(0, header));
        Span<byte> key = stackalloc byte[AuthenticatedCipher.KeyBytes];
        try
        {
            if (!TryRead(before, read, key, out var cipher, out _) && !TryRead(after, read, key, out cipher, out _)) return false;
            for (var slot = 0; slot < 2; slot++)
            {
                WriteSlot(after, cipher, key, header.AsSpan(0, SlotBytes));
                file.Write(slot * SlotBytes, header.AsSpan(0, SlotBytes));
                file.Sync();
            }
            return true;
        }
        finally
        {
            CryptographicOperations.ZeroMemory(key);
        }
    }

    private static void WriteSlot(MainKey main, StoreCipher cipher, ReadOnlySpan<byte> key, Span<byte> slot)
    {
        slot.Clear();
        Mark.CopyTo(slot);
        slot[Mark.Length] = (byte)cipher;
        using var wrapping = main.CreateCipher(cipher);
        wrapping.Encrypt(key, slot.Slice(16, SealedBytes), slot[..9]);
        BinaryPrimitives.WriteUInt32LittleEndian(slot[12..], Crc32C.Compute(slot.Slice(16, SealedBytes), (uint)cipher));
    }

    private static bool TryRead(MainKey main, ReadOnlySpan<byte> header, Span<byte> key, out StoreCipher cipher, out bool isIntact)
    {
        (cipher, isIntact) = (default, false);
        for (var start = 0; start + UsedBytes <= header.Length && start <= SlotBytes; start += SlotBytes)
        {
            var slot = header.Slice(start, UsedBytes);
            cipher = (StoreCipher)slot[Mark.Length];
            if (!slot.StartsWith(Mark) || cipher is not (StoreCipher.ChaCha20Poly1305 or StoreCipher.AesGcm)
                || BinaryPrimitives.ReadUInt32LittleEndian(slot[12..]) != Crc32C.Compute(slot.Slice(16, SealedBytes), (uint)cipher)) continue;
            isIntact = true;
            using var wrapping = main.CreateCipher(cipher);
            if (wrapping.TryDecrypt(slot.Slice(16, SealedBytes), key, slot[..9])) return true;
        }
        return false;
    }
}

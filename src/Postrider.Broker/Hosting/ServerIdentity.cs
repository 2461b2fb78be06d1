namespace Postrider.Broker.Hosting;

/// <summary>Creates a broker's id, in the form of a public server key. Clients only compare it.</summary>
/// <remarks>Base32 of a prefix byte, 32 bytes and their CRC-16. Source: nkeys.</remarks>
internal static class ServerIdentity
{
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    // Makes the first letter an N.
    private const byte ServerPrefix = 13 << 3;

    /// <summary>Creates a new id: 56 characters, the first an N.</summary>
    public static string Create()
    {
        Span<byte> raw = stackalloc byte[35];
        raw[0] = ServerPrefix;
        // Random enough to be unique, without loading a cryptography library (5 MB of an idle broker).
        Guid.NewGuid().TryWriteBytes(raw[1..17]);
        Guid.NewGuid().TryWriteBytes(raw[17..33]);
        var check = Crc16(raw[..33]);
        raw[33] = (byte)check;
        raw[34] = (byte)(check >> 8);
        return ToBase32(raw);
    }

    private static ushort Crc16(ReadOnlySpan<byte> bytes)
    {
        ushort crc = 0;
        foreach (var value in bytes)
        {
            crc ^= (ushort)(value << 8);
            for (var bit = 0; bit < 8; bit++) crc = (ushort)((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
        }
        return crc;
    }

    private static string ToBase32(ReadOnlySpan<byte> bytes)
    {
        Span<char> text = stackalloc char[bytes.Length * 8 / 5];
        int bits = 0, held = 0, length = 0;
        foreach (var value in bytes)
        {
            held = (held << 8) | value;
            bits += 8;
            while (bits >= 5)
            {
                bits -= 5;
                text[length++] = Alphabet[(held >> bits) & 31];
            }
        }
        return new string(text[..length]);
    }
}

namespace Postrider.Credentials.Nkeys;

/// <summary>The checksum at the end of nkeys: CRC-16/XMODEM.</summary>
/// <remarks>Source: nkeys; polynomial 0x1021, initial value 0.</remarks>
internal static class Crc16
{
    public static ushort Compute(ReadOnlySpan<byte> bytes)
    {
        ushort crc = 0;
        foreach (var value in bytes)
        {
            crc ^= (ushort)(value << 8);
            for (var bit = 0; bit < 8; bit++) crc = (ushort)((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
        }
        return crc;
    }
}

using System.Buffers.Binary;

namespace Postrider.Load.Hostile;

/// <summary>Payloads of the victim: a mark that no other client has, a number, a time, and bytes that follow from the number.</summary>
internal static class VictimPayload
{
    public const int MinBytes = 32;

    public static ReadOnlySpan<byte> Mark => "V1ct!m#\u0001"u8;

    public static byte[] Create(int bytes) => new byte[Math.Max(bytes, MinBytes)];

    /// <param name="payload">Filled as a whole.</param>
    /// <param name="number">Number of the message in its lane, from 1 on.</param>
    /// <param name="stamp">Ticks of <see cref="System.Diagnostics.Stopwatch"/> from which its latency counts.</param>
    public static void Fill(Span<byte> payload, long number, long stamp)
    {
        Mark.CopyTo(payload);
        BinaryPrimitives.WriteInt64LittleEndian(payload[8..], number);
        BinaryPrimitives.WriteInt64LittleEndian(payload[16..], stamp);
        for (var i = 24; i < payload.Length; i++)
            payload[i] = Filler(number, i);
    }

    public static bool TryRead(ReadOnlySpan<byte> payload, out long number, out long stamp)
    {
        number = stamp = 0;
        if (payload.Length < MinBytes || !payload.StartsWith(Mark))
            return false;

        number = BinaryPrimitives.ReadInt64LittleEndian(payload[8..]);
        stamp = BinaryPrimitives.ReadInt64LittleEndian(payload[16..]);
        for (var i = 24; i < payload.Length; i++)
        {
            if (payload[i] != Filler(number, i))
                return false;
        }

        return true;
    }

    private static byte Filler(long number, int index) => (byte)((number * 31) + (index * 7) + (number >> 8));
}

namespace Postrider.MessagePack;

/// <summary>Reads the timestamp extension in its three sizes.</summary>
internal static class Timestamps
{
    private const int SecondsBits = 34;

    public static MessagePackTimestamp Read(ref MessagePackReader reader)
    {
        var code = reader.PeekCode();
        var start = reader.Consumed;
        if (MessagePackCode.TypeOf(code) != MessagePackType.Extension)
            ThrowHelper.Unexpected(start, code, "a timestamp");
        var header = reader.ReadExtensionHeader();
        if (header.Type != MessagePackTimestamp.ExtensionType || header.Length is not (4 or 8 or 12))
            ThrowHelper.InvalidValue(start, "a timestamp", $"an extension of type {header.Type} with {header.Length} bytes");

        switch (header.Length)
        {
            case 4:
                return new((long)reader.Take(4), 0);
            case 8:
                var packed = reader.Take(8);
                return Checked(start, new((long)(packed & ((1UL << SecondsBits) - 1)), (uint)(packed >> SecondsBits)));
            default:
                var nanoseconds = (uint)reader.Take(4);
                return Checked(start, new((long)reader.Take(8), nanoseconds));
        }
    }

    private static MessagePackTimestamp Checked(long start, MessagePackTimestamp time)
    {
        if (time.Nanoseconds > MessagePackTimestamp.MaxNanoseconds)
            ThrowHelper.InvalidValue(start, "a timestamp", $"{time.Nanoseconds} nanoseconds");
        return time;
    }
}

namespace Postrider.MessagePack;

/// <summary>Skips values of unknown members: those that only a newer writer knows.</summary>
internal static class ValueSkipper
{
    /// <summary>Counts the remaining values instead of recursing, so that no nesting depth exhausts the stack.</summary>
    public static void Skip(ref MessagePackReader reader, int count)
    {
        for (long left = count; left > 0; left--)
        {
            var code = reader.PeekCode();
            switch (MessagePackCode.TypeOf(code))
            {
                case MessagePackType.Integer or MessagePackType.Float:
                    reader.Pass(1);
                    Scalar(ref reader, code);
                    break;
                case MessagePackType.Nil or MessagePackType.Boolean:
                    reader.Pass(1);
                    break;
                case MessagePackType.String:
                    reader.SkipBytes(reader.ReadStringLength());
                    break;
                case MessagePackType.Binary:
                    reader.SkipBytes(reader.ReadBinaryLength());
                    break;
                case MessagePackType.Array:
                    left += reader.ReadArrayHeader();
                    break;
                case MessagePackType.Map:
                    left += 2L * reader.ReadMapHeader();
                    break;
                case MessagePackType.Extension:
                    reader.SkipBytes(reader.ReadExtensionHeader().Length);
                    break;
                default:
                    ThrowHelper.Unexpected(reader.Consumed, code, "a value");
                    break;
            }
        }
    }

    private static void Scalar(ref MessagePackReader reader, byte code)
    {
        switch (code)
        {
            case MessagePackCode.UInt8 or MessagePackCode.Int8:
                reader.Take(1);
                break;
            case MessagePackCode.UInt16 or MessagePackCode.Int16:
                reader.Take(2);
                break;
            case MessagePackCode.UInt32 or MessagePackCode.Int32 or MessagePackCode.Float32:
                reader.Take(4);
                break;
            case MessagePackCode.UInt64 or MessagePackCode.Int64 or MessagePackCode.Float64:
                reader.Take(8);
                break;
        }
    }
}

namespace Postrider.MessagePack;

/// <summary>Passes over values that nobody asked for: members that a newer writer knows.</summary>
internal static class Skipping
{
    /// <summary>Counts what is still to come instead of calling itself, so that no depth of nesting exhausts the stack.</summary>
    public static void Skip(ref MessagePackReader reader, int count)
    {
        for (long left = count; left > 0; left--)
        {
            var code = reader.PeekCode();
            switch (Code.TypeOf(code))
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
                    Failure.Unexpected(reader.Consumed, code, "a value");
                    break;
            }
        }
    }

    private static void Scalar(ref MessagePackReader reader, byte code)
    {
        switch (code)
        {
            case Code.UInt8 or Code.Int8:
                reader.Take(1);
                break;
            case Code.UInt16 or Code.Int16:
                reader.Take(2);
                break;
            case Code.UInt32 or Code.Int32 or Code.Float32:
                reader.Take(4);
                break;
            case Code.UInt64 or Code.Int64 or Code.Float64:
                reader.Take(8);
                break;
        }
    }
}

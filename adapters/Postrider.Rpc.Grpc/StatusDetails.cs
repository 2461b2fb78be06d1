using System.Buffers;
using System.Text;

namespace Postrider.Rpc.Grpc;

/// <summary>A fault's detail in <c>grpc-status-details-bin</c>: a <c>google.rpc.Status</c> whose first detail is an <c>Any</c>.</summary>
/// <remarks>Written by hand, so that the framing needs no Protobuf library. Source: google/rpc/status.proto, google/protobuf/any.proto.</remarks>
internal static class StatusDetails
{
    private const string TypePrefix = "type.googleapis.com/";
    private const int LengthDelimited = 2;

    public static string Write(int code, string message, string type, ReadOnlySpan<byte> detail)
    {
        var any = new ArrayBufferWriter<byte>();
        WriteBytes(any, 1, Encoding.UTF8.GetBytes(TypePrefix + type));
        WriteBytes(any, 2, detail);
        var status = new ArrayBufferWriter<byte>();
        WriteVarint(status, 1 << 3);
        WriteVarint(status, (uint)code);
        WriteBytes(status, 2, Encoding.UTF8.GetBytes(message));
        WriteBytes(status, 3, any.WrittenSpan);
        return Convert.ToBase64String(status.WrittenSpan);
    }

    /// <summary>The first detail, and its type's name; false if there is none.</summary>
    public static bool TryRead(string text, out string type, out byte[] detail)
    {
        (type, detail) = ("", []);
        var bytes = new byte[text.Length];
        if (!Convert.TryFromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='), bytes, out var length)
            || !TryFind(bytes.AsSpan(0, length), 3, out var any) || !TryFind(any, 1, out var url))
            return false;
        var name = Encoding.UTF8.GetString(url);
        type = name[(name.LastIndexOf('/') + 1)..];
        detail = TryFind(any, 2, out var value) ? value.ToArray() : [];
        return type.Length > 0;
    }

    // Finds the first length-delimited field with that number.
    private static bool TryFind(ReadOnlySpan<byte> message, uint number, out ReadOnlySpan<byte> value)
    {
        value = default;
        while (TryReadVarint(ref message, out var tag))
        {
            ulong length = 0;
            switch (tag & 7)
            {
                case 0:
                    if (!TryReadVarint(ref message, out _))
                        return false;
                    break;
                case 1:
                    length = sizeof(ulong);
                    break;
                case 5:
                    length = sizeof(uint);
                    break;
                case LengthDelimited:
                    if (!TryReadVarint(ref message, out length))
                        return false;
                    break;
                default:
                    return false;
            }

            if (length > (ulong)message.Length)
                return false;
            if (tag == (number << 3 | LengthDelimited))
            {
                value = message[..(int)length];
                return true;
            }

            message = message[(int)length..];
        }

        return false;
    }

    private static bool TryReadVarint(ref ReadOnlySpan<byte> input, out ulong value)
    {
        value = 0;
        for (var i = 0; i < 10 && i < input.Length; i++)
        {
            value |= (ulong)(input[i] & 0x7F) << (7 * i);
            if (input[i] >= 0x80)
                continue;
            input = input[(i + 1)..];
            return true;
        }

        return false;
    }

    private static void WriteBytes(ArrayBufferWriter<byte> output, uint number, ReadOnlySpan<byte> bytes)
    {
        WriteVarint(output, number << 3 | LengthDelimited);
        WriteVarint(output, (uint)bytes.Length);
        output.Write(bytes);
    }

    private static void WriteVarint(ArrayBufferWriter<byte> output, uint value)
    {
        for (; value >= 0x80; value >>= 7)
            output.Write([(byte)(value | 0x80)]);
        output.Write([(byte)value]);
    }
}

using System.Linq;
using System.Text;

namespace Postrider.MessagePack.Generator.Emitting;

/// <summary>A member's name as encoded on the wire.</summary>
internal static class WireKey
{
    /// <summary>The bytes of a string on the wire, header included, as a list of numbers.</summary>
    internal static string Bytes(string name)
    {
        var text = Encoding.UTF8.GetBytes(name);
        byte[] header = text.Length < 32 ? [(byte)(0xA0 | text.Length)]
            : text.Length < 256 ? [0xD9, (byte)text.Length]
            : [0xDA, (byte)(text.Length >> 8), (byte)text.Length];
        return string.Join(", ", header.Concat(text));
    }
}

using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.MessagePack.Generator.Emitting;

/// <summary>Constants in emitted code.</summary>
internal static class Literal
{
    internal static string Text(string text) => SymbolDisplay.FormatLiteral(text, quote: true);

    /// <summary>The bytes of a string on the wire, header included, as a list of numbers.</summary>
    internal static string Key(string name)
    {
        var text = Encoding.UTF8.GetBytes(name);
        byte[] header = text.Length < 32 ? [(byte)(0xA0 | text.Length)]
            : text.Length < 256 ? [0xD9, (byte)text.Length]
            : [0xDA, (byte)(text.Length >> 8), (byte)text.Length];
        return string.Join(", ", header.Concat(text));
    }
}

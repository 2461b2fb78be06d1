using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Unicode;

namespace Postrider.Xml.Elements;

/// <summary>Throws the exceptions of readers and writers.</summary>
internal static class ThrowHelper
{
    private const int MaxShownBytes = 64;

    [DoesNotReturn]
    public static void Throw(XmlError error, string message, int position = -1) => throw new XmlDataException(error, message, position);

    [DoesNotReturn]
    public static void EndOfInput(int position) => Throw(XmlError.EndOfInput, $"The input ends at byte {position}, inside an element.", position);

    [DoesNotReturn]
    public static void NotWellFormed(int position, string what) => Throw(XmlError.NotWellFormed, $"{what} at byte {position}.", position);

    [DoesNotReturn]
    public static void Control(ReadOnlySpan<byte> input, int at)
    {
        // Markup with two or four bytes per character has a zero among the first two.
        if (at < 2 && input[at] == 0)
            OtherEncoding("UTF-16 or UTF-32");
        if (IsMarked(input))
            OtherEncoding("UTF-16");
        Throw(XmlError.InvalidText, $"Byte {at} is 0x{input[at]:X2}, which is not allowed in XML.", at);
    }

    [DoesNotReturn]
    public static void NotUtf8(ReadOnlySpan<byte> input)
    {
        if (IsMarked(input))
            OtherEncoding("UTF-16");
        Span<char> unused = stackalloc char[256];
        var at = 0;
        while (Utf8.ToUtf16(input[at..], unused, out var read, out _, replaceInvalidSequences: false) == OperationStatus.DestinationTooSmall)
            at += read;
        Utf8.ToUtf16(input[at..], unused, out var last, out _, replaceInvalidSequences: false);
        at += last;
        Throw(XmlError.InvalidText, $"Byte {at}, 0x{input[at]:X2}, is not UTF-8, the only supported encoding.", at);
    }

    private static bool IsMarked(ReadOnlySpan<byte> input) => input.StartsWith<byte>([0xFF, 0xFE]) || input.StartsWith<byte>([0xFE, 0xFF]);

    [DoesNotReturn]
    private static void OtherEncoding(string name) => Throw(XmlError.InvalidText, $"The document is in {name}; only UTF-8 is supported.", 0);

    [DoesNotReturn]
    public static void InvalidValue(int position, ReadOnlySpan<byte> text, string type)
        => Throw(XmlError.InvalidValue, $"'{Shown(text)}' at byte {position} is not a valid {type}.", position);

    [DoesNotReturn]
    public static void WrongRoot(ref ElementReader reader, string name, string space)
        => Throw(XmlError.UnexpectedElement, $"The root is {reader.Describe()}, not {name} of the namespace '{space}'.", reader.Position);

    /// <summary>The beginning of a text, for messages.</summary>
    public static string Shown(ReadOnlySpan<byte> text)
        => text.Length <= MaxShownBytes ? Encoding.UTF8.GetString(text) : Encoding.UTF8.GetString(text[..MaxShownBytes]) + "…";
}

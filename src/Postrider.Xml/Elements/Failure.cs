using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Postrider.Xml.Elements;

/// <summary>Throws what readers and writers throw.</summary>
internal static class Failure
{
    private const int MostShownBytes = 64;

    [DoesNotReturn]
    public static void Throw(XmlError error, string message, int position = -1) => throw new XmlDataException(error, message, position);

    [DoesNotReturn]
    public static void EndOfInput(int position) => Throw(XmlError.EndOfInput, $"The input ends at byte {position}, inside an element.", position);

    [DoesNotReturn]
    public static void NotWellFormed(int position, string what) => Throw(XmlError.NotWellFormed, $"{what} at byte {position}.", position);

    [DoesNotReturn]
    public static void InvalidValue(int position, ReadOnlySpan<byte> text, string type)
        => Throw(XmlError.InvalidValue, $"'{Shown(text)}' at byte {position} is no {type}.", position);

    [DoesNotReturn]
    public static void WrongRoot(ref ElementReader reader, string name, string space)
        => Throw(XmlError.UnexpectedElement, $"The root is {reader.Describe()}, not {name} of the namespace '{space}'.", reader.Position);

    /// <summary>The beginning of a text, for messages.</summary>
    public static string Shown(ReadOnlySpan<byte> text)
        => text.Length <= MostShownBytes ? Encoding.UTF8.GetString(text) : Encoding.UTF8.GetString(text[..MostShownBytes]) + "…";
}

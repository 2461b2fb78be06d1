using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Unicode;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Prepares the JSON of requests for a reader that is stricter than Go's: for strings with invalid Unicode, and for several objects
/// one after the other, which count as one.</summary>
internal static class RequestText
{
    private const int EscapeLength = 6;

    /// <summary>Whether every string in it can be read: valid UTF-8, and no unpaired surrogate.</summary>
    public static bool IsUnicode(ReadOnlySpan<byte> json) => Utf8.IsValid(json) && NextLoneSurrogate(json, 0) < 0;

    /// <summary>The same JSON with invalid Unicode replaced by U+FFFD.</summary>
    public static byte[] ToUnicode(ReadOnlySpan<byte> json)
    {
        var valid = new ArrayBufferWriter<byte>(json.Length + 16);
        for (var rest = json; !rest.IsEmpty;)
        {
            if (Rune.DecodeFromUtf8(rest, out _, out var length) == OperationStatus.Done)
            {
                valid.Write(rest[..length]);
                rest = rest[length..];
            }
            else
            {
                // One for each invalid byte, as in Go.
                valid.Write("\uFFFD"u8);
                rest = rest[1..];
            }
        }
        var bytes = valid.WrittenSpan.ToArray();
        for (var at = NextLoneSurrogate(bytes, 0); at >= 0; at = NextLoneSurrogate(bytes, at)) "\\ufffd"u8.CopyTo(bytes.AsSpan(at));
        return bytes;
    }

    /// <summary>Merges several objects into one; later members replace earlier ones.</summary>
    /// <param name="json">The text.</param>
    /// <param name="values">The ranges of the values; anything but objects is left out.</param>
    public static byte[] Merge(ReadOnlySpan<byte> json, List<Range> values)
    {
        var merged = new ArrayBufferWriter<byte>(json.Length);
        foreach (var range in values)
        {
            var value = json[range];
            if (value[0] != '{') continue;
            var members = value[1..^1].Trim(" \t\r\n"u8);
            if (members.IsEmpty) continue;
            merged.Write(merged.WrittenCount == 0 ? "{"u8 : ","u8);
            merged.Write(members);
        }
        merged.Write(merged.WrittenCount == 0 ? "{}"u8 : "}"u8);
        return merged.WrittenSpan.ToArray();
    }

    private static int NextLoneSurrogate(ReadOnlySpan<byte> json, int from)
    {
        for (var at = from; at < json.Length; at++)
        {
            var skipped = json[at..].IndexOf((byte)'\\');
            if (skipped < 0) return -1;
            at += skipped;
            var unit = UnitAt(json, at);
            if (char.IsHighSurrogate(unit) && char.IsLowSurrogate(UnitAt(json, at + EscapeLength))) at += 2 * EscapeLength - 1;
            else if (char.IsSurrogate(unit)) return at;
            else at++;
        }
        return -1;
    }

    // The UTF-16 unit that an escape such as \ud800 stands for, or 0.
    private static char UnitAt(ReadOnlySpan<byte> json, int at)
        => at + EscapeLength <= json.Length && json[at] == '\\' && json[at + 1] == 'u'
            && ushort.TryParse(json.Slice(at + 2, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var unit)
            ? (char)unit
            : '\0';
}

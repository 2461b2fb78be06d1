using System.Globalization;
using System.Text;

namespace Postrider.Broker;

/// <summary>Text in double quotes with its special characters escaped, as nats-server quotes values in its messages.</summary>
internal static class GoQuote
{
    internal static string Quote(string text)
    {
        var quoted = new StringBuilder(text.Length + 2).Append('"');
        foreach (var rune in text.EnumerateRunes())
            Append(quoted, rune);
        return quoted.Append('"').ToString();
    }

    /// <summary>Quotes an address that is not valid, without what may be its user and password: everything up to the last <c>@</c>.</summary>
    internal static string QuoteUrl(string text)
    {
        var at = text.LastIndexOf('@');
        if (at < 0) return Quote(text);
        var scheme = text.IndexOf("://", StringComparison.Ordinal) is var end and >= 0 && end < at ? text[..(end + 3)] : "";
        return Quote($"{scheme}***{text[at..]}");
    }

    private static void Append(StringBuilder quoted, Rune rune)
    {
        switch (rune.Value)
        {
            case '"' or '\\': quoted.Append('\\').Append((char)rune.Value); break;
            case '\a': quoted.Append(@"\a"); break;
            case '\b': quoted.Append(@"\b"); break;
            case '\f': quoted.Append(@"\f"); break;
            case '\n': quoted.Append(@"\n"); break;
            case '\r': quoted.Append(@"\r"); break;
            case '\t': quoted.Append(@"\t"); break;
            case '\v': quoted.Append(@"\v"); break;
            case < 0x20 or 0x7f: quoted.Append(CultureInfo.InvariantCulture, $@"\x{rune.Value:x2}"); break;
            case > 0x7f and < 0xa0: quoted.Append(CultureInfo.InvariantCulture, $@"\u{rune.Value:x4}"); break;
            default: quoted.Append(rune.ToString()); break;
        }
    }
}

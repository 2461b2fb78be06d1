using System.Globalization;

namespace Postrider.CommandLine.Terminal;

/// <summary>Numbers with their nouns in text.</summary>
internal static class Quantity
{
    /// <summary>A number with its noun in singular or plural: <c>1 message</c>, <c>2,000 messages</c>.</summary>
    internal static string Of(ulong count, string noun) => $"{Text(count)} {noun}{(count == 1 ? "" : "s")}";

    /// <inheritdoc cref="Of(ulong, string)"/>
    internal static string Of(long count, string noun) => Of((ulong)Math.Max(0, count), noun);

    /// <summary>A number with thousands separators.</summary>
    internal static string Text(ulong value) => value.ToString("N0", CultureInfo.InvariantCulture);

    /// <inheritdoc cref="Text(ulong)"/>
    internal static string Text(long value) => value.ToString("N0", CultureInfo.InvariantCulture);
}

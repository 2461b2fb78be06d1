using System.Globalization;

namespace Postrider.Broker.Configuration;

/// <summary>One flag of a command line: how its value is read and what it sets.</summary>
/// <param name="Read">Parses the text of a value; null when it is invalid.</param>
/// <param name="Set">Sets the value in the options.</param>
/// <param name="IsSwitch">Whether the flag may be given without a value.</param>
internal sealed record Flag(Func<string, object?> Read, Action<BrokerOptions, object> Set, bool IsSwitch = false)
{
    internal static Flag Switch(Action<BrokerOptions, bool> set) =>
        new(static text => ReadBoolean(text), (options, value) => set(options, (bool)value), IsSwitch: true);

    internal static Flag Number(Action<BrokerOptions, long> set) =>
        new(static text => ReadInteger(text), (options, value) => set(options, (long)value));

    internal static Flag Text(Action<BrokerOptions, string> set) =>
        new(static text => text, (options, value) => set(options, (string)value));

    private static bool? ReadBoolean(string text) => text switch
    {
        "1" or "t" or "T" or "true" or "TRUE" or "True" => true,
        "0" or "f" or "F" or "false" or "FALSE" or "False" => false,
        _ => null,
    };

    private static long? ReadInteger(string text)
    {
        if (text.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
            return long.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var hex) ? hex : null;
        return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) ? number : null;
    }
}

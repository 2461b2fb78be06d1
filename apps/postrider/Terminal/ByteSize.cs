using System.CommandLine;
using System.Globalization;

namespace Postrider.CommandLine.Terminal;

/// <summary>Sizes on the command line, as <c>nats</c> reads them: a number of bytes, or one with <c>K</c>, <c>M</c>, <c>G</c> or <c>T</c>,
/// optionally followed by <c>B</c> or <c>iB</c>. Every unit is 1024 of the one before.</summary>
internal static class ByteSize
{
    /// <summary>An optional option for a number of bytes from <paramref name="min"/> to <paramref name="max"/>.</summary>
    internal static Option<long?> Create(string name, string description, long min = -1, long max = long.MaxValue, string? letter = null)
    {
        var option = letter is null ? new Option<long?>(name) : new Option<long?>(name, letter);
        option.Description = $"{description}, such as 1000, 64KB or 10GB";
        option.CustomParser = argument =>
        {
            var text = argument.Tokens[0].Value;
            if (Read(text) is not { } bytes)
                argument.AddError($"'{text}' is not a size for {name} such as 1000, 64KB or 10GB.");
            else if (bytes < min)
                argument.AddError($"{name} must be at least {min}.");
            else if (bytes > max)
                argument.AddError($"{name} must be at most {max}.");
            else
                return (long)bytes;
            return null;
        };
        return option;
    }

    /// <summary>The number of bytes in a text such as <c>10MB</c>, or null.</summary>
    internal static Int128? Read(string text)
    {
        var digits = text.AsSpan().LastIndexOfAnyInRange('0', '9') + 1;
        var shift = text[digits..].ToUpperInvariant() switch
        {
            "" or "B" => 0,
            "K" or "KB" or "KIB" => 10,
            "M" or "MB" or "MIB" => 20,
            "G" or "GB" or "GIB" => 30,
            "T" or "TB" or "TIB" => 40,
            _ => -1,
        };
        return shift >= 0 && long.TryParse(text.AsSpan(0, digits), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
            ? (Int128)number << shift
            : null;
    }

    /// <summary>A size for people, to three digits: <c>512 B</c>, <c>1.5 KiB</c>, <c>10 GiB</c>.</summary>
    internal static string Text(long bytes)
    {
        string[] units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        if (bytes < 1024) return string.Create(CultureInfo.InvariantCulture, $"{bytes} B");
        var (size, unit) = (bytes / 1024.0, 0);
        for (; size >= 1024 && unit < units.Length - 1; unit++)
            size /= 1024;
        return string.Create(CultureInfo.InvariantCulture, $"{Math.Round(size, size < 10 ? 2 : size < 100 ? 1 : 0):0.##} {units[unit]}");
    }
}

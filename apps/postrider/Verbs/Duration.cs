using System.CommandLine.Parsing;
using System.Globalization;

namespace Postrider.CommandLine.Verbs;

/// <summary>Durations on the command line: a number and <c>ms</c>, <c>s</c>, <c>m</c> or <c>h</c>.</summary>
internal static class Duration
{
    private static readonly System.Buffers.SearchValues<char> NumberCharacters = System.Buffers.SearchValues.Create("0123456789.");

    internal static TimeSpan Parse(ArgumentResult argument)
    {
        var text = argument.Tokens.Count > 0 ? argument.Tokens[0].Value : "";
        if (Read(text) is { } duration)
            return duration;
        argument.AddError($"'{text}' is not a duration such as 500ms, 5s or 2m.");
        return default;
    }

    internal static string Show(TimeSpan duration) => duration.TotalMilliseconds switch
    {
        < 1 => $"{duration.TotalMicroseconds.ToString("0.#", CultureInfo.InvariantCulture)} µs",
        < 1000 => $"{duration.TotalMilliseconds.ToString("0.###", CultureInfo.InvariantCulture)} ms",
        _ => $"{duration.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture)} s",
    };

    private static TimeSpan? Read(string text)
    {
        var digits = text.AsSpan().IndexOfAnyExcept(NumberCharacters);
        if (digits <= 0 || !double.TryParse(text.AsSpan(0, digits), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number))
            return null;
        double? milliseconds = text[digits..] switch
        {
            "ms" => number,
            "s" => number * 1_000,
            "m" => number * 60_000,
            "h" => number * 3_600_000,
            _ => null,
        };
        return milliseconds is { } time && time < TimeSpan.MaxValue.TotalMilliseconds ? TimeSpan.FromMilliseconds(time) : null;
    }
}

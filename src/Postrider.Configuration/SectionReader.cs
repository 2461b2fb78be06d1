using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Postrider.Configuration;

/// <summary>Reads the values of a configuration section and collects every problem, so that all of them are reported at once.</summary>
/// <remarks>A key that was never read is a problem too: a misspelled key would otherwise silently leave the default. Key names are
/// compared without case, as in Microsoft.Extensions.Configuration. Not thread-safe.</remarks>
public sealed class SectionReader
{
    private readonly IConfigurationSection _section;
    private readonly List<string> _problems;
    private readonly HashSet<string> _known = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<SectionReader> _children = [];

    /// <summary>Creates a reader.</summary>
    /// <param name="section">The section; if it does not exist, nothing is set.</param>
    public SectionReader(IConfigurationSection section)
        : this(section ?? throw new ArgumentNullException(nameof(section)), [])
    {
        if (section.Value is { Length: > 0 } text)
            Problem("", $"is '{text}'; it must have keys of its own.");
    }

    private SectionReader(IConfigurationSection section, List<string> problems) => (_section, _problems) = (section, problems);

    /// <summary>The path of the section, for example <c>Postrider:Client</c>.</summary>
    public string Path => _section.Path;

    /// <summary>The keys directly within the section.</summary>
    public IReadOnlyList<string> Keys => [.. _section.GetChildren().Select(static child => child.Key)];

    /// <summary>Reads a text.</summary>
    /// <param name="key">The key within the section.</param>
    /// <returns>The value, or null if it is absent or empty.</returns>
    public string? Text(string key)
    {
        _known.Add(key);
        var child = _section.GetSection(key);
        if (child.GetChildren().Any())
            Problem(key, "has keys of its own; it must be a single value.");
        return string.IsNullOrEmpty(child.Value) ? null : child.Value;
    }

    /// <summary>Reads a list: <c>["a", "b"]</c>, or one value with commas.</summary>
    /// <param name="key">The key within the section.</param>
    /// <returns>The values, or null if there are none.</returns>
    public IReadOnlyList<string>? List(string key)
    {
        _known.Add(key);
        var child = _section.GetSection(key);
        if (child.Value is { Length: > 0 } text)
        {
            if (child.GetChildren().Any())
                TextAndKeys(key, child);
            return text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        }

        var values = new List<string>();
        foreach (var item in child.GetChildren())
        {
            if (string.IsNullOrEmpty(item.Value))
                Problem($"{key}:{item.Key}", "is empty; it must be a text.");
            else
                values.Add(item.Value);
        }

        return values.Count > 0 ? values : null;
    }

    /// <summary>Whether a list is present and has no values: <c>[]</c>, an empty text, or only commas.</summary>
    /// <param name="key">The key within the section.</param>
    /// <returns>False if it has values, or is absent.</returns>
    public bool IsEmptyList(string key)
    {
        _known.Add(key);
        var child = _section.GetSection(key);
        return child.Value is { } text && text.AsSpan().Trim(" ,").IsEmpty && !child.GetChildren().Any();
    }

    /// <summary>Reads a truth value: <c>true</c> or <c>false</c>.</summary>
    /// <param name="key">The key within the section.</param>
    /// <returns>The value, or null if it is absent or wrong.</returns>
    public bool? Flag(string key)
    {
        if (Text(key) is not { } text)
            return null;
        if (bool.TryParse(text, out var value))
            return value;
        Problem(key, $"is '{text}'; it must be true or false.");
        return null;
    }

    /// <summary>Reads a whole number.</summary>
    /// <param name="key">The key within the section.</param>
    /// <param name="min">The smallest permitted number.</param>
    /// <param name="max">The largest permitted number.</param>
    /// <returns>The value, or null if it is absent or wrong.</returns>
    public int? Integer(string key, int min = 0, int max = int.MaxValue)
    {
        if (Text(key) is not { } text)
            return null;
        if (int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) && value >= min && value <= max)
            return value;
        Problem(key, string.Create(CultureInfo.InvariantCulture, $"is '{text}'; it must be a whole number from {min} to {max}."));
        return null;
    }

    /// <summary>Reads a size: a number of bytes, or with the unit KB, MB or GB (1,024 each).</summary>
    /// <param name="key">The key within the section.</param>
    /// <param name="max">The largest permitted size in bytes.</param>
    /// <returns>The bytes, or null if the value is absent or wrong.</returns>
    public long? Bytes(string key, long max = long.MaxValue)
    {
        if (Text(key) is not { } text)
            return null;
        if (TryReadBytes(text, out var bytes) && bytes <= max)
            return bytes;
        Problem(key, max == long.MaxValue
            ? $"is '{text}'; it must be a size such as 65536, 64KB, 16MB or 1GB."
            : string.Create(CultureInfo.InvariantCulture, $"is '{text}'; it must be a size such as 65536, 64KB or 16MB, at most {max} bytes."));
        return null;
    }

    /// <summary>Reads a duration: <c>250ms</c>, <c>30s</c>, <c>5m</c>, <c>1h</c>, <c>7d</c>, or <c>00:00:30</c>.</summary>
    /// <param name="key">The key within the section.</param>
    /// <returns>The duration, or null if the value is absent or wrong.</returns>
    public TimeSpan? Duration(string key)
    {
        if (Text(key) is not { } text)
            return null;
        if (TryReadDuration(text, out var duration))
            return duration;
        Problem(key, $"is '{text}'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30.");
        return null;
    }

    /// <summary>Reads a name of an enumeration.</summary>
    /// <typeparam name="TEnum">The enumeration.</typeparam>
    /// <param name="key">The key within the section.</param>
    /// <returns>The value, or null if it is absent or wrong.</returns>
    public TEnum? Choice<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields)] TEnum>(string key)
        where TEnum : struct, Enum
    {
        if (Text(key) is not { } text)
            return null;
        var names = Enum.GetNames<TEnum>();
        // Parsing alone would also accept numbers, and several names with commas.
        if (names.Contains(text, StringComparer.OrdinalIgnoreCase))
            return Enum.Parse<TEnum>(text, ignoreCase: true);
        Problem(key, $"is '{text}'; it must be {string.Join(" or ", names)}.");
        return null;
    }

    /// <summary>Reads keys below a key.</summary>
    /// <param name="key">The key within the section.</param>
    /// <returns>The reader of those keys, or null if there are none. <see cref="ThrowIfInvalid"/> includes its problems.</returns>
    public SectionReader? Section(string key)
    {
        _known.Add(key);
        var child = _section.GetSection(key);
        if (!child.Exists())
            return null;
        var reader = new SectionReader(child, _problems);
        if (child.Value is not null && !child.GetChildren().Any())
        {
            Problem(key, $"is '{child.Value}'; it must have keys of its own.");
            return reader;
        }

        if (child.Value is { Length: > 0 })
            TextAndKeys(key, child);
        _children.Add(reader);
        return reader;
    }

    /// <summary>Reports a problem with a key.</summary>
    /// <param name="key">The key within the section; empty for the section itself.</param>
    /// <param name="what">A sentence without its subject: the problem and the valid values.</param>
    public void Problem(string key, string what)
        => _problems.Add(string.IsNullOrEmpty(key) ? $"{Path} {what}" : $"{Path}:{key} {what}");

    /// <summary>Ends reading.</summary>
    /// <exception cref="InvalidConfigurationException">At least one value is wrong, or a key is unknown. The message has a line for
    /// each.</exception>
    public void ThrowIfInvalid()
    {
        FindUnknown();
        if (_problems.Count > 0)
            throw new InvalidConfigurationException(string.Join(Environment.NewLine, _problems));
    }

    // The key belongs to another reader.
    internal void Skip(string key) => _known.Add(key);

    private static bool TryReadBytes(string text, out long bytes)
    {
        var factor = 1L;
        var digits = text.AsSpan().Trim();
        foreach (var (unit, size) in (ReadOnlySpan<(string, long)>)[("KB", 1L << 10), ("MB", 1L << 20), ("GB", 1L << 30), ("B", 1)])
        {
            if (!digits.EndsWith(unit, StringComparison.OrdinalIgnoreCase))
                continue;
            digits = digits[..^unit.Length].TrimEnd();
            factor = size;
            break;
        }

        if (!long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out bytes) || bytes > long.MaxValue / factor)
            return false;
        bytes *= factor;
        return true;
    }

    private static bool TryReadDuration(string text, out TimeSpan duration)
    {
        duration = default;
        var digits = text.AsSpan().Trim();
        foreach (var (unit, seconds) in (ReadOnlySpan<(string, double)>)[("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86400)])
        {
            if (!digits.EndsWith(unit, StringComparison.OrdinalIgnoreCase) || !char.IsAsciiDigit(digits[Math.Max(0, digits.Length - unit.Length - 1)]))
                continue;
            if (!double.TryParse(digits[..^unit.Length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
                || number * seconds > TimeSpan.MaxValue.TotalSeconds / 2)
                return false;
            duration = TimeSpan.FromSeconds(number * seconds);
            return true;
        }

        // A bare number would be parsed as days.
        return digits.Contains(':') && TimeSpan.TryParse(digits, CultureInfo.InvariantCulture, out duration) && duration >= TimeSpan.Zero;
    }

    // Two sources, such as a file and environment variables, that do not override each other.
    private void TextAndKeys(string key, IConfigurationSection child)
        => Problem(key, $"is '{child.Value}' and also has keys of its own, such as {child.GetChildren().First().Path}; set one of them.");

    private void FindUnknown()
    {
        foreach (var child in _section.GetChildren())
        {
            if (_known.Contains(child.Key))
                continue;
            Problem(child.Key, Suggestion.For(child.Key, _known) is { } nearest
                ? $"is not a known key. Did you mean '{nearest}'?"
                : $"is not a known key. Known: {string.Join(", ", _known.Order(StringComparer.Ordinal))}.");
        }

        foreach (var child in _children)
            child.FindUnknown();
    }
}

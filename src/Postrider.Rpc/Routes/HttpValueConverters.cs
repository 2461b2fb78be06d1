using System.Globalization;
using System.Numerics;

namespace Postrider.Rpc;

/// <summary>The converters of the types supported in a path, a query or a header. Used by generated code.</summary>
/// <remarks>All converters use the invariant culture; times use ISO 8601.</remarks>
public static class HttpValueConverters
{
    private const NumberStyles RealStyle = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;

    private static readonly CultureInfo s_culture = CultureInfo.InvariantCulture;

    private static readonly string[] s_moments =
    [
        "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK", "yyyy-MM-dd'T'HH:mm:ssK", "yyyy-MM-dd'T'HH:mmK", "yyyy-MM-dd",
    ];

    /// <summary>The converter of strings.</summary>
    public static HttpValueConverter<string> String { get; } = new(static (string text, out string value) => (value = text) is not null, static value => value, "text", "string");

    /// <summary>The converter of booleans.</summary>
    public static HttpValueConverter<bool> Boolean { get; } = new(bool.TryParse, static value => value ? "true" : "false", "true or false", "boolean");

    /// <summary>The converter of Guids, with or without hyphens.</summary>
    public static HttpValueConverter<Guid> Guid { get; } = new(System.Guid.TryParse, static value => value.ToString("D"), "a Guid such as 0f8fad5b-d9cb-469f-a165-70867728950e", "string", "uuid");

    /// <summary>The converter of times with an offset; without one they are UTC.</summary>
    public static HttpValueConverter<DateTimeOffset> DateTimeOffset { get; } = new(
        static (string text, out DateTimeOffset value) => System.DateTimeOffset.TryParseExact(text, s_moments, s_culture, DateTimeStyles.AssumeUniversal, out value),
        static value => value.ToString("O", s_culture), "a time such as 2026-01-31T12:30:00+01:00", "string", "date-time");

    /// <summary>The converter of times; Z and offsets are converted to UTC.</summary>
    public static HttpValueConverter<DateTime> DateTime { get; } = new(
        static (string text, out DateTime value) => System.DateTime.TryParseExact(text, s_moments, s_culture, DateTimeStyles.AdjustToUniversal, out value),
        static value => value.ToString("O", s_culture), "a time such as 2026-01-31T12:30:00Z", "string", "date-time");

    /// <summary>The converter of dates.</summary>
    public static HttpValueConverter<DateOnly> DateOnly { get; } = new(
        static (string text, out DateOnly value) => System.DateOnly.TryParseExact(text, "yyyy-MM-dd", s_culture, DateTimeStyles.None, out value),
        static value => value.ToString("O", s_culture), "a day such as 2026-01-31", "string", "date");

    /// <summary>The converter of times of day.</summary>
    public static HttpValueConverter<TimeOnly> TimeOnly { get; } = new(
        static (string text, out TimeOnly value) => System.TimeOnly.TryParseExact(text, ["HH:mm:ss.FFFFFFF", "HH:mm:ss", "HH:mm"], s_culture, DateTimeStyles.None, out value),
        static value => value.ToString("O", s_culture), "a time of day such as 12:30:00", "string", "time");

    /// <summary>The converter of time spans.</summary>
    public static HttpValueConverter<TimeSpan> TimeSpan { get; } = new(
        static (string text, out TimeSpan value) => System.TimeSpan.TryParseExact(text, "c", s_culture, out value),
        static value => value.ToString("c", s_culture), "a span of time such as 1.02:03:04.5", "string");

    /// <summary>The converter of absolute and relative URIs.</summary>
    public static HttpValueConverter<Uri> Uri { get; } = new(
        static (string text, out Uri value) => System.Uri.TryCreate(text, UriKind.RelativeOrAbsolute, out value!), static value => value.OriginalString, "an address", "string", "uri-reference");

    /// <summary>Creates the converter of an integer type.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <returns>The converter.</returns>
    public static HttpValueConverter<T> Integer<T>()
        where T : IBinaryInteger<T>, IMinMaxValue<T>
        => new(
            static (string text, out T value) => T.TryParse(text, NumberStyles.AllowLeadingSign, s_culture, out value!),
            static value => value.ToString(null, s_culture), string.Create(s_culture, $"a whole number from {T.MinValue} to {T.MaxValue}"), "integer");

    /// <summary>Creates the converter of a floating-point or decimal type.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <returns>The converter.</returns>
    public static HttpValueConverter<T> Real<T>()
        where T : INumber<T>
        => new(
            static (string text, out T value) => T.TryParse(text, RealStyle, s_culture, out value!) && T.IsFinite(value),
            static value => value.ToString(null, s_culture), "a number such as 1.5", "number");

    /// <summary>Creates the converter of an enumeration's names, case-insensitive.</summary>
    /// <typeparam name="T">The enumeration.</typeparam>
    /// <returns>The converter.</returns>
    public static HttpValueConverter<T> Enum<T>()
        where T : struct, Enum
        => new(
            static (string text, out T value) => System.Enum.TryParse(text, ignoreCase: true, out value) && IsNamed(value), static value => value.ToString(),
            $"one of {string.Join(", ", System.Enum.GetNames<T>())}", "string", null, System.Enum.GetNames<T>());

    /// <summary>Creates the converter of a type that implements <see cref="IParsable{TSelf}"/>.</summary>
    /// <typeparam name="T">The type. It is formatted by <c>ToString</c>, with the invariant culture if it is
    /// <see cref="IFormattable"/>.</typeparam>
    /// <returns>The converter.</returns>
    public static HttpValueConverter<T> Parsable<T>()
        where T : IParsable<T>
        => new(
            static (string text, out T value) => T.TryParse(text, s_culture, out value!),
            static value => value is IFormattable formattable ? formattable.ToString(null, s_culture) : value.ToString(), "a valid value", "string");

    /// <summary>Creates the converter of a nullable type.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="text">The converter of the underlying type.</param>
    /// <returns>The converter.</returns>
    public static HttpValueConverter<T?> Nullable<T>(HttpValueConverter<T> text)
        where T : struct
    {
        ArgumentNullException.ThrowIfNull(text);
        return new(
            (string value, out T? read) =>
            {
                var isValue = text.TryParse(value, out var known);
                read = known;
                return isValue;
            },
            value => value is { } known ? text.Format(known) : null, text.Expected, text.SchemaType, text.SchemaFormat, text.Names);
    }

    // A number without a name is written as a number.
    private static bool IsNamed<T>(T value)
        where T : struct, Enum
        => value.ToString() is [var first, ..] && first != '-' && !char.IsAsciiDigit(first);
}

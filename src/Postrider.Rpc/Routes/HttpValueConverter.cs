namespace Postrider.Rpc;

/// <summary>Converts values of a type to and from text in a path, a query or a header.</summary>
/// <param name="expected">A description of valid values, for error messages.</param>
/// <param name="schemaType">The JSON Schema type.</param>
/// <param name="schemaFormat">The JSON Schema format, or null.</param>
/// <param name="names">The valid names of an enumeration.</param>
public abstract class HttpValueConverter(string expected, string schemaType, string? schemaFormat = null, IReadOnlyList<string>? names = null)
{
    /// <summary>A description of valid values, for error messages.</summary>
    public string Expected { get; } = expected;

    /// <summary>The JSON Schema type.</summary>
    public string SchemaType { get; } = schemaType;

    /// <summary>The JSON Schema format, or null.</summary>
    public string? SchemaFormat { get; } = schemaFormat;

    /// <summary>The valid names of an enumeration; otherwise empty.</summary>
    public IReadOnlyList<string> Names { get; } = names ?? [];
}

/// <summary>Converts values of a type to and from text in a path, a query or a header.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="parse">Parses a value; returns false if it is invalid.</param>
/// <param name="format">Formats a value; returns null to omit it.</param>
/// <param name="expected">A description of valid values, for error messages.</param>
/// <param name="schemaType">The JSON Schema type.</param>
/// <param name="schemaFormat">The JSON Schema format, or null.</param>
/// <param name="names">The valid names of an enumeration.</param>
public sealed class HttpValueConverter<T>(
    HttpValueConverter<T>.Parser parse, Func<T, string?> format, string expected, string schemaType, string? schemaFormat = null, IReadOnlyList<string>? names = null)
    : HttpValueConverter(expected, schemaType, schemaFormat, names)
{
    /// <summary>Reads a value.</summary>
    /// <param name="text">The text, not escaped.</param>
    /// <param name="value">The value.</param>
    /// <returns>False if the text is invalid.</returns>
    public delegate bool Parser(string text, out T value);

    /// <inheritdoc cref="Parser"/>
    public bool TryParse(string text, out T value) => parse(text, out value);

    /// <summary>Writes a value.</summary>
    /// <param name="value">The value.</param>
    /// <returns>The text, not escaped; null to omit the value.</returns>
    public string? Format(T value) => format(value);
}

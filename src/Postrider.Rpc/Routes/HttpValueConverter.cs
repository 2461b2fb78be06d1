namespace Postrider.Rpc;

/// <summary>The form that values of a type have in a path, a query or a header.</summary>
/// <param name="expected">What a value has to be, in words.</param>
/// <param name="schemaType">Its type in JSON Schema.</param>
/// <param name="schemaFormat">Its format there, or null.</param>
/// <param name="names">The values that there are, when they are names.</param>
public abstract class HttpValueConverter(string expected, string schemaType, string? schemaFormat = null, IReadOnlyList<string>? names = null)
{
    /// <summary>What a value has to be, in words.</summary>
    public string Expected { get; } = expected;

    /// <summary>Its type in JSON Schema.</summary>
    public string SchemaType { get; } = schemaType;

    /// <summary>Its format in JSON Schema, or null.</summary>
    public string? SchemaFormat { get; } = schemaFormat;

    /// <summary>The values that there are, when they are names; otherwise none.</summary>
    public IReadOnlyList<string> Names { get; } = names ?? [];
}

/// <summary>The form that values of a type have in a path, a query or a header.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="parse">Reads a value; false when it is none.</param>
/// <param name="format">Writes a value; null when there is nothing to write.</param>
/// <param name="expected">What a value has to be, in words.</param>
/// <param name="schemaType">Its type in JSON Schema.</param>
/// <param name="schemaFormat">Its format there, or null.</param>
/// <param name="names">The values that there are, when they are names.</param>
public sealed class HttpValueConverter<T>(
    HttpValueConverter<T>.Parser parse, Func<T, string?> format, string expected, string schemaType, string? schemaFormat = null, IReadOnlyList<string>? names = null)
    : HttpValueConverter(expected, schemaType, schemaFormat, names)
{
    /// <summary>Reads a value.</summary>
    /// <param name="text">The text, without escapes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the text is none.</returns>
    public delegate bool Parser(string text, out T value);

    /// <inheritdoc cref="Parser"/>
    public bool TryParse(string text, out T value) => parse(text, out value);

    /// <summary>Writes a value.</summary>
    /// <param name="value">The value.</param>
    /// <returns>The text, without escapes; null when there is nothing to write.</returns>
    public string? Format(T value) => format(value);
}

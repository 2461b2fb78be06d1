namespace Postrider.Serialization;

/// <summary>Thrown when a value cannot be written or read.</summary>
/// <param name="error">The kind of error.</param>
/// <param name="message">The message, which may name types: for the program's own log.</param>
/// <param name="detail">The error, without names of types: it may be sent to the other side.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class SerializerException(SerializerError error, string message, string detail, Exception? inner = null) : Exception(message, inner)
{
    // The maximum length to which a received name is repeated.
    private const int MaxNameChars = 100;

    /// <summary>The kind of error.</summary>
    public SerializerError Error { get; } = error;

    /// <summary>The error, as sentences without names of types: it may be sent to the other side.</summary>
    public string Detail { get; } = detail;

    /// <summary>Creates the exception for bytes that are not a value of a type.</summary>
    /// <param name="type">The type.</param>
    /// <param name="contentType">The media type of the format.</param>
    /// <param name="detail">The error, without names of types.</param>
    /// <param name="inner">The cause, or null.</param>
    /// <returns>The exception: <see cref="SerializerError.InvalidData"/>.</returns>
    public static SerializerException InvalidData(Type type, string contentType, string detail, Exception? inner = null)
        => new(SerializerError.InvalidData, $"The bytes are not a valid {type} in {contentType}. {detail}", detail, inner);

    /// <summary>Creates the exception for a value that a format cannot represent.</summary>
    /// <param name="type">The type.</param>
    /// <param name="contentType">The media type of the format.</param>
    /// <param name="detail">The error, without names of types.</param>
    /// <param name="inner">The cause, or null.</param>
    /// <returns>The exception: <see cref="SerializerError.InvalidValue"/>.</returns>
    public static SerializerException InvalidValue(Type type, string contentType, string detail, Exception? inner = null)
        => new(SerializerError.InvalidValue, $"The {type} cannot be written as {contentType}. {detail}", detail, inner);

    /// <summary>Creates the exception for a type that a format does not support.</summary>
    /// <param name="type">The type.</param>
    /// <param name="contentType">The media type of the format.</param>
    /// <param name="remedy">The solution, as a sentence.</param>
    /// <param name="inner">The cause, or null.</param>
    /// <returns>The exception: <see cref="SerializerError.NoSerializer"/>.</returns>
    public static SerializerException NoSerializer(Type type, string contentType, string remedy, Exception? inner = null)
        => new(SerializerError.NoSerializer, $"The serializers of {contentType} do not support {type}. {remedy}", $"A type of the message is not supported in {contentType}.", inner);

    /// <summary>Creates the exception for a content type that none of the formats supports.</summary>
    /// <param name="contentType">The content type, as it arrived.</param>
    /// <param name="supported">The media types of the formats.</param>
    /// <returns>The exception: <see cref="SerializerError.UnsupportedContentType"/>.</returns>
    public static SerializerException UnsupportedContentType(string contentType, IEnumerable<string> supported)
    {
        ArgumentNullException.ThrowIfNull(contentType);
        var name = contentType.Length > MaxNameChars ? contentType[..MaxNameChars] + "…" : contentType;
        var text = $"Unsupported content type '{name}'. Supported: {string.Join(", ", supported)}.";
        return new(SerializerError.UnsupportedContentType, text, text);
    }
}

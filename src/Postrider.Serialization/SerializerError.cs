namespace Postrider.Serialization;

/// <summary>The kinds of <see cref="SerializerException"/>.</summary>
public enum SerializerError
{
    /// <summary>The format has no serializer for the type.</summary>
    NoSerializer,

    /// <summary>The bytes are not a value of the type.</summary>
    InvalidData,

    /// <summary>The format cannot represent the value.</summary>
    InvalidValue,

    /// <summary>None of the formats has the content type.</summary>
    UnsupportedContentType,
}

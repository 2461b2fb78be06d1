namespace Postrider.Serialization;

/// <summary>Provides the serializers of one format: JSON, MessagePack, Protobuf and so on.</summary>
/// <remarks>The dispatcher's envelopes, the NATS client's payloads and the codecs of Rpc take any provider. Thread-safe.</remarks>
public interface ISerializerProvider
{
    /// <summary>The media type of the format, in lower case and without parameters.</summary>
    string ContentType { get; }

    /// <summary>Whether a media type refers to this format.</summary>
    /// <param name="mediaType">A media type without parameters; case-insensitive.</param>
    /// <returns>True for <see cref="ContentType"/> and its aliases.</returns>
    bool Accepts(ReadOnlySpan<char> mediaType);

    /// <summary>Gets the serializer of a type. Keep it if it is used often: a call is a table lookup and may create one.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The serializer; null if the format, or this provider's context, does not include the type.</returns>
    /// <exception cref="SerializerException"><see cref="SerializerError.NoSerializer"/>: the format would lose parts of the type.</exception>
    Serializer<T>? Find<T>();
}

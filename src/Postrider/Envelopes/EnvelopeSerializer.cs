using System.Buffers;
using Postrider.Serialization;

namespace Postrider.Envelopes;

/// <summary>Writes and reads the bodies of envelopes of one type: written in the first format that supports it, read in that of the
/// header <see cref="HeaderNames.ContentType"/>.</summary>
/// <typeparam name="T">The type of the message.</typeparam>
/// <remarks>Thread-safe.</remarks>
internal sealed class EnvelopeSerializer<T>
{
    private readonly (ISerializerProvider Provider, Serializer<T> Serializer)[] _formats;

    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: no format supports the type.</exception>
    internal EnvelopeSerializer(ISerializerProvider serializers)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        try
        {
            IReadOnlyList<ISerializerProvider> providers = serializers is SerializerSet set ? set.Providers : [serializers];
            _formats = [.. from provider in providers let found = provider.Find<T>() where found is not null select (provider, found)];
            if (_formats.Length == 0)
                throw SerializerException.NoSerializer(typeof(T), string.Join(", ", providers.Select(static p => p.ContentType)), "Add the type to its context.");
        }
        catch (SerializerException unsupported)
        {
            throw Failure(unsupported);
        }
    }

    /// <summary>Writes a body.</summary>
    /// <param name="value">The message.</param>
    /// <param name="preferred">The content type of the message that this one replies to; null for none. The first format is used if the
    /// type is not supported in that one.</param>
    /// <returns>The body and its content type.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the value cannot be written.</exception>
    internal (ReadOnlyMemory<byte> Body, string ContentType) Write(T value, string? preferred = null)
    {
        var serializer = (preferred is null ? null : Find(preferred)) ?? _formats[0].Serializer;
        var output = new ArrayBufferWriter<byte>();
        Write(serializer, value, output);
        return (output.WrittenMemory, serializer.ContentType);
    }

    /// <summary>Writes a body in the first format.</summary>
    /// <param name="value">The message.</param>
    /// <param name="output">Receives the body.</param>
    /// <returns>The content type.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the value cannot be written.</exception>
    internal string Write(T value, IBufferWriter<byte> output)
    {
        var serializer = _formats[0].Serializer;
        Write(serializer, value, output);
        return serializer.ContentType;
    }

    /// <summary>Writes a body in the format of the message that it replies to, or in the first one if the type is not supported in that
    /// one.</summary>
    /// <param name="value">The message.</param>
    /// <param name="preferred">The content type of the message that this one replies to; null for none.</param>
    /// <param name="output">Receives the body.</param>
    /// <returns>The content type.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the value cannot be written.</exception>
    internal string Write(T value, string? preferred, IBufferWriter<byte> output)
    {
        var serializer = (preferred is null ? null : Find(preferred)) ?? _formats[0].Serializer;
        Write(serializer, value, output);
        return serializer.ContentType;
    }

    /// <summary>Reads a body.</summary>
    /// <param name="envelope">The envelope; one without a content type is read in the first format.</param>
    /// <returns>The message.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the content type is not supported, or the bytes are not
    /// such a message; the cause is a <see cref="SerializerException"/>.</exception>
    internal T Read(Envelope envelope)
        => envelope.Body.IsEmpty && envelope.Headers[HeaderNames.ClaimId] is not null
            ? throw new PostriderException(PostriderError.Codec, "The body is in a claim check, and this transport has none: call UseClaimCheck with the store of the sender.")
            : Read(envelope.Headers[HeaderNames.ContentType], envelope.Body.Span);

    /// <summary>Reads a body.</summary>
    /// <param name="contentType">Its content type; without one it is read in the first format.</param>
    /// <param name="body">The bytes.</param>
    /// <returns>The message.</returns>
    /// <inheritdoc cref="Read(Envelope)" path="/exception"/>
    internal T Read(string? contentType, ReadOnlySpan<byte> body)
    {
        try
        {
            var serializer = (contentType is null ? _formats[0].Serializer : Find(contentType)) ?? throw SerializerException.UnsupportedContentType(
                contentType!, _formats.Select(static format => format.Serializer.ContentType).Distinct(StringComparer.Ordinal));
            return serializer.Read(body);
        }
        catch (SerializerException unreadable)
        {
            throw Failure(unreadable);
        }
    }

    /// <summary>The media type of the format that an envelope is read in; null if it is not supported.</summary>
    internal string? ContentTypeOf(Envelope envelope) => Find(envelope)?.ContentType;

    private static void Write(Serializer<T> serializer, T value, IBufferWriter<byte> output)
    {
        try
        {
            serializer.Write(output, value);
        }
        catch (SerializerException unwritable)
        {
            throw Failure(unwritable);
        }
    }

    private Serializer<T>? Find(Envelope envelope)
        => envelope.Headers[HeaderNames.ContentType] is { } contentType ? Find(contentType) : _formats[0].Serializer;

    private Serializer<T>? Find(string contentType)
    {
        var mediaType = contentType.AsSpan();
        if (mediaType.IndexOf(';') is >= 0 and var end)
            mediaType = mediaType[..end];
        mediaType = mediaType.Trim();
        foreach (var (provider, serializer) in _formats)
        {
            if (provider.Accepts(mediaType))
                return serializer;
        }

        return null;
    }

    private static PostriderException Failure(SerializerException failure) => new(PostriderError.Codec, failure.Message, failure);
}

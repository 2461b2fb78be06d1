using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Serialization.Json;

namespace Postrider.Serialization;

/// <summary>JSON by source-generated contexts of System.Text.Json: no reflection, safe to trim.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context. Thread-safe.</remarks>
public sealed class JsonSerializerProvider : ISerializerProvider
{
    internal const string MediaType = "application/json";

    /// <summary>Creates serializers for the types of contexts.</summary>
    /// <param name="types">One or more <c>JsonSerializerContext</c>s, combined with <c>JsonTypeInfoResolver.Combine</c>; null if only
    /// built-in types are sent, or if the options have a resolver.</param>
    /// <param name="options">Naming policy, converters and so on, read once; null for the web defaults (camelCase), whatever the context
    /// specifies. <c>OrderJson.Default.Options</c> are the options of a context.</param>
    public JsonSerializerProvider(IJsonTypeInfoResolver? types = null, JsonSerializerOptions? options = null)
    {
        Options = options is null ? new(JsonSerializerDefaults.Web) : new(options);
        Options.TypeInfoResolver = JsonTypeInfoResolver.Combine(types, options?.TypeInfoResolver, ScalarJson.Default);
        Options.MakeReadOnly();
    }

    /// <inheritdoc/>
    public string ContentType => MediaType;

    internal JsonSerializerOptions Options { get; }

    /// <summary>Whether a media type refers to JSON.</summary>
    /// <param name="mediaType">A media type without parameters; case-insensitive.</param>
    /// <returns>True for <c>application/json</c> and for types with the suffix <c>+json</c>.</returns>
    public bool Accepts(ReadOnlySpan<char> mediaType)
        => mediaType.Equals(MediaType, StringComparison.OrdinalIgnoreCase)
            || (mediaType.StartsWith("application/", StringComparison.OrdinalIgnoreCase) && mediaType.EndsWith("+json", StringComparison.OrdinalIgnoreCase)
                && !mediaType.StartsWith("application/grpc", StringComparison.OrdinalIgnoreCase));

    /// <summary>Gets the serializer of a type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The serializer; null if no context includes the type.</returns>
    /// <exception cref="SerializerException"><see cref="SerializerError.NoSerializer"/>: the type contains a tuple whose items JSON would
    /// omit.</exception>
    public Serializer<T>? Find<T>()
    {
        if (!Options.TryGetTypeInfo(typeof(T), out var info))
            return null;
        JsonTuples.Reject(info);
        return new JsonTypeSerializer<T>((JsonTypeInfo<T>)info);
    }
}

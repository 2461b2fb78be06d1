using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Postrider.Envelopes;

/// <summary>JSON through System.Text.Json's source-generated contexts: no reflection, safe to trim.</summary>
/// <param name="types">One or more <c>JsonSerializerContext</c>s, combined with <c>JsonTypeInfoResolver.Combine</c>.</param>
/// <param name="options">Naming policy and other options; null for the web defaults (camelCase).</param>
/// <remarks>Thread-safe.</remarks>
public sealed class JsonCodec(IJsonTypeInfoResolver types, JsonSerializerOptions? options = null) : ICodec
{
    private readonly JsonSerializerOptions _options = options is null
        ? new(JsonSerializerDefaults.Web) { TypeInfoResolver = types }
        : new(options) { TypeInfoResolver = types };

    /// <inheritdoc/>
    public string ContentType => "application/json";

    /// <inheritdoc/>
    public void Encode<T>(IBufferWriter<byte> output, T value)
    {
        using var writer = new Utf8JsonWriter(output, new JsonWriterOptions { SkipValidation = true });
        JsonSerializer.Serialize(writer, value, TypeInfo<T>());
    }

    /// <inheritdoc/>
    public T Decode<T>(ReadOnlySpan<byte> input)
    {
        try
        {
            return JsonSerializer.Deserialize(input, TypeInfo<T>())
                ?? throw new PostriderException(PostriderError.Codec, $"JSON null is not a valid {typeof(T)}.");
        }
        catch (JsonException bad)
        {
            throw new PostriderException(
                PostriderError.Codec, $"{input.Length} bytes are not a valid {typeof(T)} in JSON: {bad.Message}", bad);
        }
    }

    private JsonTypeInfo<T> TypeInfo<T>()
        => _options.TryGetTypeInfo(typeof(T), out var info)
            ? (JsonTypeInfo<T>)info
            : throw new PostriderException(
                PostriderError.Codec, $"No JsonSerializerContext of the codec includes {typeof(T)}; add [JsonSerializable(typeof({typeof(T).Name}))].");
}

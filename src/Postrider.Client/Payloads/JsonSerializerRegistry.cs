using System.Collections.Concurrent;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Postrider.Client;

/// <summary>JSON serializers for the types of a source-generated context, and the default serializers for bytes, strings and numbers.</summary>
/// <remarks>Does not use reflection: every type comes from <see cref="JsonTypeInfo"/>.</remarks>
public sealed class JsonSerializerRegistry : IPayloadSerializerRegistry
{
    private readonly ConcurrentDictionary<Type, object> _known = new();
    private readonly JsonSerializerOptions _options;

    /// <summary>Uses one context.</summary>
    /// <param name="context">A source-generated context.</param>
    public JsonSerializerRegistry(JsonSerializerContext context)
        : this((context ?? throw new ArgumentNullException(nameof(context))).Options)
    {
    }

    /// <summary>Uses options, whose <see cref="JsonSerializerOptions.TypeInfoResolver"/> may combine several contexts.</summary>
    /// <param name="options">Options with a type resolver. Made read-only.</param>
    public JsonSerializerRegistry(JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.MakeReadOnly();
        _options = options;
    }

    /// <inheritdoc/>
    public IPayloadSerializer<T> Get<T>()
    {
        if (DefaultSerializerRegistry.Find<T>() is { } builtIn) return builtIn;
        if (_known.TryGetValue(typeof(T), out var known)) return (IPayloadSerializer<T>)known;
        if (!_options.TryGetTypeInfo(typeof(T), out var type))
            throw new NatsClientException(NatsErrorCode.NoSerializer, $"The JSON context does not include {typeof(T)}: add [JsonSerializable(typeof({typeof(T).Name}))] to it.");
        return (IPayloadSerializer<T>)_known.GetOrAdd(typeof(T), new JsonPayloadSerializer<T>((JsonTypeInfo<T>)type));
    }
}

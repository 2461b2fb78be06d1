using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Codecs.Json;
using Postrider.Serialization;

namespace Postrider.Rpc;

/// <summary>JSON codec based on source-generated contexts of System.Text.Json. Several parameters are an object with their
/// names.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context.</remarks>
public sealed class RpcJsonCodec : RpcCodec
{
    private readonly int _maxDepth;

    /// <summary>Creates a codec for the types of contexts.</summary>
    /// <param name="types">One or more <c>JsonSerializerContext</c>s, combined with <c>JsonTypeInfoResolver.Combine</c>; null if the
    /// contract uses only built-in types.</param>
    /// <param name="options">Naming policy, converters and so on; null for the web defaults (camelCase).</param>
    public RpcJsonCodec(IJsonTypeInfoResolver? types = null, JsonSerializerOptions? options = null)
        : this(new JsonSerializerProvider(types, options))
    {
    }

    /// <summary>Creates a codec with the serializers of JSON that envelopes or payloads use, too.</summary>
    /// <param name="serializers">The serializers.</param>
    public RpcJsonCodec(JsonSerializerProvider serializers)
        : base(serializers) => _maxDepth = serializers.Options.MaxDepth;

    /// <inheritdoc/>
    public override Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest)
        => new JsonArguments<TFirst, TRest>(
            name, ((JsonTypeSerializer<TFirst>)first).Info, rest is UnitSerializer ? null : (IJsonArguments<TRest>)rest, _maxDepth);
}

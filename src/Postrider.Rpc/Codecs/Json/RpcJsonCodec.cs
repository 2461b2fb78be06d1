using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Codecs.Json;

namespace Postrider.Rpc;

/// <summary>JSON codec based on source-generated contexts of System.Text.Json. Several parameters are an object with their
/// names.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context.</remarks>
public sealed class RpcJsonCodec : RpcCodec
{
    private readonly JsonSerializerOptions _options;

    /// <summary>Creates a codec for the types of contexts.</summary>
    /// <param name="types">One or more <c>JsonSerializerContext</c>s, combined with <c>JsonTypeInfoResolver.Combine</c>; null if the
    /// contract uses only built-in types.</param>
    /// <param name="options">Naming policy, converters and so on; null for the web defaults (camelCase).</param>
    public RpcJsonCodec(IJsonTypeInfoResolver? types = null, JsonSerializerOptions? options = null)
    {
        _options = options is null ? new(JsonSerializerDefaults.Web) : new(options);
        _options.TypeInfoResolver = types is null ? ScalarJson.Default : JsonTypeInfoResolver.Combine(types, ScalarJson.Default);
        _options.MakeReadOnly();
    }

    /// <inheritdoc/>
    public override string ContentType => "application/json";

    /// <summary>Whether a media type refers to this codec.</summary>
    /// <param name="mediaType">A media type without parameters; case-insensitive.</param>
    /// <returns>True for <c>application/json</c> and for types with the suffix <c>+json</c>.</returns>
    public override bool Accepts(ReadOnlySpan<char> mediaType)
        => base.Accepts(mediaType)
            || (mediaType.StartsWith("application/", StringComparison.OrdinalIgnoreCase) && mediaType.EndsWith("+json", StringComparison.OrdinalIgnoreCase)
                && !mediaType.StartsWith("application/grpc", StringComparison.OrdinalIgnoreCase));

    /// <inheritdoc/>
    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => new JsonArguments<TFirst, TRest>(
            name, ((JsonFormatter<TFirst>)first).Info, rest is UnitFormatter ? null : (IJsonArguments<TRest>)rest, _options.MaxDepth);

    /// <inheritdoc/>
    protected override RpcFormatter<T>? Find<T>()
    {
        if (!_options.TryGetTypeInfo(typeof(T), out var info))
            return null;
        JsonTuples.Reject(info);
        return new JsonFormatter<T>((JsonTypeInfo<T>)info);
    }
}

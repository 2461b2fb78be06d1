using System.Diagnostics.CodeAnalysis;
using Newtonsoft.Json;
using Postrider.Serialization;
using Postrider.Serialization.Newtonsoft;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>JSON codec based on Newtonsoft.Json, for contracts whose types use its attributes and converters.</summary>
/// <remarks>The wire format is that of <see cref="RpcJsonCodec"/>: <c>application/json</c>, several parameters as an object with their
/// names, camelCase unless the settings specify otherwise. <c>$type</c>, <c>$id</c> and <c>$ref</c> have no special meaning: a received
/// type name never selects a type, whatever the settings or attributes specify. The codec uses reflection, so it does not work in trimmed
/// or natively compiled programs. Thread-safe.</remarks>
public sealed class RpcNewtonsoftCodec : RpcCodec
{
    private readonly NewtonsoftJson _json;

    /// <summary>Creates a codec for every type that Newtonsoft.Json supports.</summary>
    /// <param name="settings">Converters, naming and so on, read once; null for camelCase. The maximum depth is 64 unless specified; the
    /// settings <c>TypeNameHandling</c>, <c>PreserveReferencesHandling</c>, <c>Formatting</c> and <c>CheckAdditionalContent</c> are
    /// ignored.</param>
    [RequiresUnreferencedCode("Newtonsoft.Json finds members through reflection.")]
    [RequiresDynamicCode("Newtonsoft.Json generates code at run time.")]
    public RpcNewtonsoftCodec(JsonSerializerSettings? settings = null)
        : this(new NewtonsoftSerializerProvider(settings))
    {
    }

    /// <summary>Creates a codec with the serializers of Newtonsoft.Json that envelopes or payloads use, too.</summary>
    /// <param name="serializers">The serializers.</param>
    public RpcNewtonsoftCodec(NewtonsoftSerializerProvider serializers)
        : base(serializers) => _json = serializers.Json;

    /// <inheritdoc/>
    public override Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest)
        => new NewtonsoftArguments<TFirst, TRest>(name, rest as INewtonsoftArguments<TRest>, _json);
}

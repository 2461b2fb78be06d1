using System.Diagnostics.CodeAnalysis;
using Newtonsoft.Json;
using Newtonsoft.Json.Serialization;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>JSON codec based on Newtonsoft.Json, for contracts whose types use its attributes and converters.</summary>
/// <remarks>The wire format is that of <see cref="RpcJsonCodec"/>: <c>application/json</c>, several parameters as an object with their
/// names, camelCase unless the settings specify otherwise. <c>$type</c>, <c>$id</c> and <c>$ref</c> have no special meaning: a received
/// type name never selects a type, whatever the settings or attributes specify. The codec uses reflection, so it does not work in trimmed
/// or natively compiled programs. Thread-safe.</remarks>
public sealed class RpcNewtonsoftCodec : RpcCodec
{
    private const int DefaultMaxDepth = 64;

    private readonly NewtonsoftJson _json;

    /// <summary>Creates a codec for every type that Newtonsoft.Json supports.</summary>
    /// <param name="settings">Converters, naming and so on, read once; null for camelCase. The maximum depth is 64 unless specified; the
    /// settings <c>TypeNameHandling</c>, <c>PreserveReferencesHandling</c>, <c>Formatting</c> and <c>CheckAdditionalContent</c> are
    /// ignored.</param>
    [RequiresUnreferencedCode("Newtonsoft.Json finds members through reflection.")]
    [RequiresDynamicCode("Newtonsoft.Json generates code at run time.")]
    public RpcNewtonsoftCodec(JsonSerializerSettings? settings = null)
    {
        var serializer = JsonSerializer.Create(settings ?? new() { ContractResolver = new CamelCasePropertyNamesContractResolver() });
        serializer.TypeNameHandling = TypeNameHandling.None;
        serializer.MetadataPropertyHandling = MetadataPropertyHandling.Ignore;
        serializer.PreserveReferencesHandling = PreserveReferencesHandling.None;
        serializer.SerializationBinder = NoTypeNames.Instance;
        serializer.Formatting = Formatting.None;

        // What follows a message is looked for where it ends, not after each parameter of several.
        serializer.CheckAdditionalContent = false;
        serializer.MaxDepth = settings?.MaxDepth ?? DefaultMaxDepth;
        _json = new(serializer);
    }

    /// <inheritdoc/>
    public override string ContentType => "application/json";

    /// <inheritdoc/>
    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => new NewtonsoftArguments<TFirst, TRest>(name, rest as INewtonsoftArguments<TRest>, _json);

    /// <inheritdoc/>
    protected override RpcFormatter<T>? Find<T>() => new NewtonsoftFormatter<T>(_json);
}

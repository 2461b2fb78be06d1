using System.Diagnostics.CodeAnalysis;
using Newtonsoft.Json;
using Newtonsoft.Json.Serialization;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>JSON by Newtonsoft.Json, for contracts whose types have its attributes and converters.</summary>
/// <remarks>
/// On the wire it is what <see cref="RpcJsonCodec"/> writes and reads: <c>application/json</c>, several parameters an object by their names,
/// camelCase unless the settings say otherwise. <c>$type</c>, <c>$id</c> and <c>$ref</c> are names like any other: no type is ever made
/// because its name was received, whatever the settings or a member's attributes say. It works by reflection, so not in trimmed or natively
/// compiled programs. Thread-safe.
/// </remarks>
public sealed class RpcNewtonsoftCodec : RpcCodec
{
    private const int DefaultMaxDepth = 64;

    private readonly NewtonsoftJson _json;

    /// <summary>Takes every type that Newtonsoft.Json takes.</summary>
    /// <param name="settings">Converters, names and the like, read now; null for camelCase. Depth is 64 unless they say more or less;
    /// their <c>TypeNameHandling</c>, <c>PreserveReferencesHandling</c>, <c>Formatting</c> and <c>CheckAdditionalContent</c> are not used.</param>
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

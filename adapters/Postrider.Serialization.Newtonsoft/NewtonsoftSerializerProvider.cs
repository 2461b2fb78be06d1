using System.Diagnostics.CodeAnalysis;
using Newtonsoft.Json;
using Newtonsoft.Json.Serialization;

namespace Postrider.Serialization.Newtonsoft;

/// <summary>JSON by Newtonsoft.Json, for types that use its attributes and converters, for the dispatcher's envelopes, the NATS client's
/// payloads and Rpc's calls.</summary>
/// <remarks>The same JSON as that of <see cref="JsonSerializerProvider"/>: camelCase unless the settings specify otherwise.
/// <c>$type</c>, <c>$id</c> and <c>$ref</c> have no special meaning: a received type name never selects a type, whatever the settings or
/// attributes specify. Uses reflection, so it does not work in trimmed or natively compiled programs. Thread-safe.</remarks>
public sealed class NewtonsoftSerializerProvider : ISerializerProvider
{
    internal const string MediaType = "application/json";

    private const int DefaultMaxDepth = 64;

    /// <summary>Creates serializers for every type that Newtonsoft.Json supports.</summary>
    /// <param name="settings">Converters, naming and so on, read once; null for camelCase. The maximum depth is 64 unless specified; the
    /// settings <c>TypeNameHandling</c>, <c>PreserveReferencesHandling</c>, <c>Formatting</c> and <c>CheckAdditionalContent</c> are
    /// ignored.</param>
    [RequiresUnreferencedCode("Newtonsoft.Json finds members through reflection.")]
    [RequiresDynamicCode("Newtonsoft.Json generates code at run time.")]
    public NewtonsoftSerializerProvider(JsonSerializerSettings? settings = null)
    {
        var serializer = JsonSerializer.Create(settings ?? new() { ContractResolver = new CamelCasePropertyNamesContractResolver() });
        serializer.TypeNameHandling = TypeNameHandling.None;
        serializer.MetadataPropertyHandling = MetadataPropertyHandling.Ignore;
        serializer.PreserveReferencesHandling = PreserveReferencesHandling.None;
        serializer.SerializationBinder = NoTypeNames.Instance;
        serializer.Formatting = Formatting.None;

        // Trailing data is checked for at the end of a message, not after each of several parameters.
        serializer.CheckAdditionalContent = false;
        serializer.MaxDepth = settings?.MaxDepth ?? DefaultMaxDepth;
        Json = new(serializer);
    }

    /// <inheritdoc/>
    public string ContentType => MediaType;

    internal NewtonsoftJson Json { get; }

    /// <summary>Whether a media type refers to JSON.</summary>
    /// <param name="mediaType">A media type without parameters; case-insensitive.</param>
    /// <returns>True for <c>application/json</c>.</returns>
    public bool Accepts(ReadOnlySpan<char> mediaType) => mediaType.Equals(MediaType, StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public Serializer<T> Find<T>() => new NewtonsoftTypeSerializer<T>(Json);
}

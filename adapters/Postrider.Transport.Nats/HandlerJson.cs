using System.Text.Json.Serialization;

namespace Postrider.Transport.Nats;

/// <summary>The JSON of <see cref="HandlerServiceExtensions"/>.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower)]
[JsonSerializable(typeof(HandlerPage))]
internal sealed partial class HandlerJson : JsonSerializerContext;

using System.Text.Json.Serialization;

namespace Postrider.Transport.Nats;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(DeadLetterRequest))]
[JsonSerializable(typeof(DeadLetterEntry))]
[JsonSerializable(typeof(DeadLetterPage))]
[JsonSerializable(typeof(DeadLetterCount))]
[JsonSerializable(typeof(DeadLetterSources))]
internal sealed partial class DeadLetterJson : JsonSerializerContext;

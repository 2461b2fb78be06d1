using System.Text.Json.Serialization;

namespace Postrider.Client.ObjectStore;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault)]
[JsonSerializable(typeof(ObjectInfo))]
internal sealed partial class ObjectJson : JsonSerializerContext
{
    public static JsonPayloadSerializer<ObjectInfo> Info => Serializers.Info;

    // Apart, so that the context is complete when it is made.
    private static class Serializers
    {
        public static readonly JsonPayloadSerializer<ObjectInfo> Info = new(Default.ObjectInfo);
    }
}

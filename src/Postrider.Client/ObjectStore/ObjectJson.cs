using System.Text.Json.Serialization;
using Postrider.Serialization;

namespace Postrider.Client.ObjectStore;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault)]
[JsonSerializable(typeof(ObjectInfo))]
internal sealed partial class ObjectJson : JsonSerializerContext
{
    public static JsonTypeSerializer<ObjectInfo> Info => Serializers.Info;

    // A separate class, so that the context is complete when they are created.
    private static class Serializers
    {
        public static readonly JsonTypeSerializer<ObjectInfo> Info = new(Default.ObjectInfo);
    }
}

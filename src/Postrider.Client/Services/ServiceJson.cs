using System.Text.Json.Serialization;

namespace Postrider.Client.Services;

[JsonSerializable(typeof(ServicePing))]
[JsonSerializable(typeof(ServiceInfo))]
[JsonSerializable(typeof(ServiceStatistics))]
internal sealed partial class ServiceJson : JsonSerializerContext
{
    public static JsonPayloadSerializer<ServicePing> Ping => Serializers.Ping;

    public static JsonPayloadSerializer<ServiceInfo> Info => Serializers.Info;

    public static JsonPayloadSerializer<ServiceStatistics> Statistics => Serializers.Statistics;

    // Apart, so that the context is complete when they are made.
    private static class Serializers
    {
        public static readonly JsonPayloadSerializer<ServicePing> Ping = new(Default.ServicePing);
        public static readonly JsonPayloadSerializer<ServiceInfo> Info = new(Default.ServiceInfo);
        public static readonly JsonPayloadSerializer<ServiceStatistics> Statistics = new(Default.ServiceStatistics);
    }
}

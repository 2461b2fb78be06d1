using System.Text.Json.Serialization;
using Postrider.Serialization;

namespace Postrider.Client.Services;

[JsonSerializable(typeof(ServicePing))]
[JsonSerializable(typeof(ServiceInfo))]
[JsonSerializable(typeof(ServiceStatistics))]
internal sealed partial class ServiceJson : JsonSerializerContext
{
    public static JsonTypeSerializer<ServicePing> Ping => Serializers.Ping;

    public static JsonTypeSerializer<ServiceInfo> Info => Serializers.Info;

    public static JsonTypeSerializer<ServiceStatistics> Statistics => Serializers.Statistics;

    // A separate class, so that the context is complete when they are created.
    private static class Serializers
    {
        public static readonly JsonTypeSerializer<ServicePing> Ping = new(Default.ServicePing);
        public static readonly JsonTypeSerializer<ServiceInfo> Info = new(Default.ServiceInfo);
        public static readonly JsonTypeSerializer<ServiceStatistics> Statistics = new(Default.ServiceStatistics);
    }
}

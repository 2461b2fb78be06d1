using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The pages that are written as one line of JSON.</summary>
[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(HealthzPage))]
[JsonSerializable(typeof(IReadOnlyList<HealthzError>))]
[JsonSerializable(typeof(PortsFile))]
public sealed partial class CompactMonitoringJson : JsonSerializerContext;

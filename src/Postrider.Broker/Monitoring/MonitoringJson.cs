using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The pages as JSON: indented by two spaces, absent values left out.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, NewLine = "\n", DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(JszPage))]
[JsonSerializable(typeof(VarzPage))]
[JsonSerializable(typeof(ConnzPage))]
[JsonSerializable(typeof(SubszPage))]
[JsonSerializable(typeof(JetStreamVarz))]
[JsonSerializable(typeof(LeafzPage))]
[JsonSerializable(typeof(RoutezPage))]
public sealed partial class MonitoringJson : JsonSerializerContext;

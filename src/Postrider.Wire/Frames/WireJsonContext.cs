using System.Text.Json.Serialization;

namespace Postrider.Wire.Frames;

/// <summary>The JSON of the protocol's INFO and CONNECT, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNameCaseInsensitive = true)]
[JsonSerializable(typeof(ServerInfo))]
[JsonSerializable(typeof(ConnectInfo))]
[JsonSerializable(typeof(LeafConnectInfo))]
[JsonSerializable(typeof(RouteConnectInfo))]
public sealed partial class WireJsonContext : JsonSerializerContext;

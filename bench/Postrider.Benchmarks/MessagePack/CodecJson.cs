using System.Text.Json.Serialization;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>System.Text.Json's of the same.</summary>
[JsonSerializable(typeof(List<Small>), TypeInfoPropertyName = "SmallItems")]
[JsonSerializable(typeof(List<Large>), TypeInfoPropertyName = "LargeItems")]
internal sealed partial class CodecJson : JsonSerializerContext;

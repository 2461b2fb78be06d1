using Postrider.MessagePack;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>Our formatters of what is measured.</summary>
[MessagePackSerializable(typeof(List<Small>), Name = "Small")]
[MessagePackSerializable(typeof(List<Large>), Name = "Large")]
public sealed partial class CodecContext : MessagePackContext;

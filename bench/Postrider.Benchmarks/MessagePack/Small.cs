using Postrider.MessagePack;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>The least object: a Guid.</summary>
[MessagePackObject]
public sealed class Small
{
    /// <summary>The only member.</summary>
    [Key(0)]
    public Guid Id { get; set; }
}

using ProtoBuf;

namespace Postrider.Benchmarks.Peers.ProtobufNet;

/// <summary>The message of a call: a contract, since a list is none.</summary>
/// <typeparam name="T">The items.</typeparam>
[ProtoContract]
public sealed class Batch<T>
{
    /// <summary>The items.</summary>
    [ProtoMember(1)]
    public List<T> Items { get; set; } = [];
}

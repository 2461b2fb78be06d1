using Postrider.Rpc;

namespace Postrider.Benchmarks.Rpc.Protos;

/// <summary>What is called with messages of Protobuf.</summary>
[Service("echo-proto")]
public interface IEchoProto
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    ValueTask<SmallItems> SmallAsync(SmallItems items);

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    ValueTask<LargeItems> LargeAsync(LargeItems items);
}

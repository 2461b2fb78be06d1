using ProtoBuf.Grpc.Configuration;

namespace Postrider.Benchmarks.Peers.ProtobufNet;

/// <summary>What is called.</summary>
[Service("postrider.bench.CodeFirstEcho")]
public interface IProtobufNetEcho
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    ValueTask<Batch<Small>> SmallAsync(Batch<Small> items);

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    ValueTask<Batch<Large>> LargeAsync(Batch<Large> items);
}

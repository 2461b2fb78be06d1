using Orleans;
using Postrider.Benchmarks.Peers.ProtobufNet;

namespace Postrider.Benchmarks.Peers.Orleans;

/// <summary>What is called; a call within the silo copies what goes in and what comes out.</summary>
public interface IOrleansEcho : IGrainWithIntegerKey
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    ValueTask<List<Small>> SmallAsync(List<Small> items);

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    ValueTask<List<Large>> LargeAsync(List<Large> items);
}

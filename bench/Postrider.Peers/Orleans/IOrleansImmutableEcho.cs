using Orleans;
using Orleans.Concurrency;
using Postrider.Benchmarks.Peers.ProtobufNet;

namespace Postrider.Benchmarks.Peers.Orleans;

/// <summary>What is called, of items that are declared immutable: a call within the silo does not copy them.</summary>
public interface IOrleansImmutableEcho : IGrainWithIntegerKey
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    ValueTask<Immutable<List<Small>>> SmallAsync(Immutable<List<Small>> items);

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    ValueTask<Immutable<List<Large>>> LargeAsync(Immutable<List<Large>> items);
}

using Orleans;
using Orleans.Concurrency;
using Postrider.Benchmarks.Peers.ProtobufNet;

namespace Postrider.Benchmarks.Peers.Orleans;

/// <summary>Gives back what it was given.</summary>
public sealed class OrleansEcho : Grain, IOrleansEcho, IOrleansImmutableEcho
{
    /// <inheritdoc/>
    public ValueTask<List<Small>> SmallAsync(List<Small> items) => new(items);

    /// <inheritdoc/>
    public ValueTask<List<Large>> LargeAsync(List<Large> items) => new(items);

    /// <inheritdoc/>
    public ValueTask<Immutable<List<Small>>> SmallAsync(Immutable<List<Small>> items) => new(items);

    /// <inheritdoc/>
    public ValueTask<Immutable<List<Large>>> LargeAsync(Immutable<List<Large>> items) => new(items);
}

namespace Postrider.Benchmarks.Peers.ProtobufNet;

/// <summary>Gives back what it was given.</summary>
public sealed class ProtobufNetEcho : IProtobufNetEcho
{
    /// <inheritdoc/>
    public ValueTask<Batch<Small>> SmallAsync(Batch<Small> items) => new(items);

    /// <inheritdoc/>
    public ValueTask<Batch<Large>> LargeAsync(Batch<Large> items) => new(items);
}

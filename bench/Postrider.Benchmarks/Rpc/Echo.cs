using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Gives back what it was given.</summary>
internal sealed class Echo : IEcho
{
    public ValueTask<List<Small>> SmallAsync(List<Small> items) => new(items);

    public ValueTask<List<Large>> LargeAsync(List<Large> items) => new(items);
}

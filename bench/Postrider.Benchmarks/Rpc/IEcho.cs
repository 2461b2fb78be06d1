using Postrider.Benchmarks.MessagePack;
using Postrider.Rpc;

namespace Postrider.Benchmarks.Rpc;

/// <summary>What is called.</summary>
[Service("echo")]
public interface IEcho
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

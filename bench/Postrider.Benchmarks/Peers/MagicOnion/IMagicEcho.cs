using System.Collections.Generic;
using MagicOnion;
using Postrider.Benchmarks.Peers.MessagePack;

namespace Postrider.Benchmarks.Peers.MagicOnion;

/// <summary>What is called.</summary>
public interface IMagicEcho : IService<IMagicEcho>
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    UnaryResult<List<Small>> SmallAsync(List<Small> items);

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    UnaryResult<List<Large>> LargeAsync(List<Large> items);
}

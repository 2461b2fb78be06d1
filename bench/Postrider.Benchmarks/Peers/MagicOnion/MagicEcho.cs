using System.Collections.Generic;
using MagicOnion;
using MagicOnion.Server;
using Postrider.Benchmarks.Peers.MessagePack;

namespace Postrider.Benchmarks.Peers.MagicOnion;

/// <summary>Gives back what it was given.</summary>
public sealed class MagicEcho : ServiceBase<IMagicEcho>, IMagicEcho
{
    /// <inheritdoc/>
    public UnaryResult<List<Small>> SmallAsync(List<Small> items) => UnaryResult.FromResult(items);

    /// <inheritdoc/>
    public UnaryResult<List<Large>> LargeAsync(List<Large> items) => UnaryResult.FromResult(items);
}

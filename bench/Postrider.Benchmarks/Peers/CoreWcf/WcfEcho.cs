using System.Collections.Generic;
using System.Threading.Tasks;
using CoreWCF;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Peers.CoreWcf;

/// <summary>Gives back what it was given.</summary>
[ServiceBehavior(InstanceContextMode = InstanceContextMode.Single, ConcurrencyMode = ConcurrencyMode.Multiple)]
public sealed class WcfEcho : IWcfEcho, IWebXmlEcho, IWebJsonEcho
{
    /// <inheritdoc/>
    public Task<List<Small>> SmallAsync(List<Small> items) => Task.FromResult(items);

    /// <inheritdoc/>
    public Task<List<Large>> LargeAsync(List<Large> items) => Task.FromResult(items);

    /// <inheritdoc cref="IWebXmlEcho.Small"/>
    public List<Small> Small(List<Small> items) => items;

    /// <inheritdoc cref="IWebXmlEcho.Large"/>
    public List<Large> Large(List<Large> items) => items;
}

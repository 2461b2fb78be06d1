using System.Collections.Generic;
using System.ServiceModel;
using System.Threading.Tasks;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Peers.CoreWcf;

/// <summary>What is called over SOAP, by server and client.</summary>
[ServiceContract(Namespace = "urn:postrider:bench", Name = "Echo")]
public interface IWcfEcho
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    [OperationContract(Name = "Small")]
    Task<List<Small>> SmallAsync(List<Small> items);

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    [OperationContract(Name = "Large")]
    Task<List<Large>> LargeAsync(List<Large> items);
}

using System.Collections.Generic;
using CoreWCF;
using CoreWCF.Web;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Peers.CoreWcf;

/// <summary>What is called over HTTP without SOAP, in JSON.</summary>
[ServiceContract]
public interface IWebJsonEcho
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    [OperationContract]
    [WebInvoke(Method = "POST", UriTemplate = "/small", RequestFormat = WebMessageFormat.Json, ResponseFormat = WebMessageFormat.Json)]
    List<Small> Small(List<Small> items);

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    [OperationContract]
    [WebInvoke(Method = "POST", UriTemplate = "/large", RequestFormat = WebMessageFormat.Json, ResponseFormat = WebMessageFormat.Json)]
    List<Large> Large(List<Large> items);
}

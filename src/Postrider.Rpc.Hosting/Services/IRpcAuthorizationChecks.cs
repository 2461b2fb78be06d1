using System.ComponentModel;

namespace Postrider.Rpc.Hosting;

/// <summary>Registered by packages that check the authorization attributes of operations over every transport.</summary>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public interface IRpcAuthorizationChecks
{
    /// <summary>Rejects a service whose operations cannot be checked.</summary>
    /// <param name="service">The service that a server is about to serve.</param>
    /// <exception cref="InvalidOperationException">An operation needs a policy that does not exist.</exception>
    void Check(RpcService service);
}

using Microsoft.AspNetCore.Authorization;

namespace Postrider.Rpc.Server;

/// <summary>Who may call an address that several operations share.</summary>
internal static class SharedAuthorization
{
    /// <summary>What any of the operations demands of its callers: each has to be met, since the address is asked before anybody knows which of
    /// them is called. What lets everybody in holds for its own operation alone, and is left out.</summary>
    /// <param name="services">What is served at the address.</param>
    /// <returns>The demands, for the address's metadata; empty when there are none.</returns>
    public static object[] For(params IReadOnlyList<RpcService> services)
        => [.. services.SelectMany(static service => service.Operations).SelectMany(static operation => operation.Operation.Metadata).OfType<IAuthorizeData>()];
}

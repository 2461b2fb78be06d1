using Microsoft.AspNetCore.Authorization;

namespace Postrider.Rpc.Server;

/// <summary>The authorization of an address that several operations share.</summary>
internal static class SharedAuthorization
{
    /// <summary>Combines the requirements of all operations. All of them apply, because the address is authorized before the operation is
    /// known. <c>AllowAnonymous</c> applies to its own operation only and is omitted.</summary>
    /// <param name="services">The services at the address.</param>
    /// <returns>The requirements, for the address's metadata; empty if there are none.</returns>
    public static object[] For(params IReadOnlyList<RpcService> services)
        => [.. services.SelectMany(static service => service.Operations).SelectMany(static operation => operation.Operation.Metadata).OfType<IAuthorizeData>()];
}

using Microsoft.AspNetCore.Authorization;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Server;

/// <summary>The authorization of an address that several operations share.</summary>
internal static class SharedAuthorization
{
    /// <summary>Combines the requirements of all operations. All of them apply, because the address is authorized before the operation is
    /// known. <c>AllowAnonymous</c> applies to its own operation only and is omitted.</summary>
    /// <param name="services">The services at the address.</param>
    /// <returns>The requirements, for the address's metadata; empty if there are none.</returns>
    public static object[] For(params IReadOnlyList<RpcService> services)
        => [.. services.SelectMany(static service => service.Operations).SelectMany(static operation => operation.Operation.Metadata)
            .Where(static metadata => metadata is IAuthorizeData or IAuthorizationRequirementData)];

    /// <summary>Rejects operations whose policy does not exist, so that the start fails and not their first call.</summary>
    /// <param name="container">The container of the server.</param>
    /// <param name="services">The services to serve.</param>
    /// <exception cref="InvalidOperationException">A policy does not exist.</exception>
    public static void RequirePolicies(IServiceProvider container, params IReadOnlyList<RpcService> services)
    {
        if (container.GetService<IAuthorizationPolicyProvider>() is { } policies)
            RequirePolicies(policies, services);
    }

    /// <inheritdoc cref="RequirePolicies(IServiceProvider, IReadOnlyList{RpcService})"/>
    public static void RequirePolicies(IAuthorizationPolicyProvider policies, IReadOnlyList<RpcService> services)
    {
        foreach (var operation in services.SelectMany(static service => service.Operations).Select(static operation => operation.Operation))
        {
            foreach (var name in operation.Metadata.OfType<IAuthorizeData>().Select(static data => data.Policy).OfType<string>().Where(static name => name.Length > 0))
            {
                // A provider that has to look elsewhere is asked with the first call only.
                var finding = policies.GetPolicyAsync(name);
                if (finding is { IsCompletedSuccessfully: true, Result: null })
                    throw new InvalidOperationException($"{operation.Path} has [Authorize(\"{name}\")], and there is no policy '{name}'. Add it with AddAuthorization(options => options.AddPolicy(\"{name}\", …)), or correct the name.");
            }
        }
    }
}

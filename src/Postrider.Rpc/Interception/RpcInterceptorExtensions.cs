using Postrider.Rpc.Interception;

namespace Postrider.Rpc;

/// <summary>Adds interceptors to channels and services.</summary>
public static class RpcInterceptorExtensions
{
    /// <summary>Runs interceptors around every call of a channel.</summary>
    /// <param name="channel">The channel. The returned channel owns it.</param>
    /// <param name="interceptors">The interceptors; the first one is the outermost.</param>
    /// <returns>The channel with interceptors, or the same channel if there are none.</returns>
    public static RpcChannel WithInterceptors(this RpcChannel channel, params IReadOnlyList<RpcInterceptor> interceptors)
    {
        ArgumentNullException.ThrowIfNull(channel);
        ArgumentNullException.ThrowIfNull(interceptors);
        return interceptors.Count == 0 ? channel : new InterceptorChannel(channel, [.. interceptors]);
    }

    /// <summary>Runs interceptors around every call of a service, over any transport.</summary>
    /// <param name="service">The service to serve.</param>
    /// <param name="interceptors">The interceptors; the first one is the outermost.</param>
    /// <returns>The service with interceptors, or the same service if there are none.</returns>
    public static RpcService WithInterceptors(this RpcService service, params IReadOnlyList<RpcInterceptor> interceptors)
    {
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(interceptors);
        if (interceptors.Count == 0)
            return service;
        var endpoints = new InterceptorEndpoints([.. interceptors]);
        return new RpcService(service.Name, service.Version, [.. service.Operations.Select(operation => operation.Accept(endpoints))]);
    }
}

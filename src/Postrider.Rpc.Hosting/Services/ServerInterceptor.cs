namespace Postrider.Rpc.Hosting.Services;

/// <summary>An interceptor around all calls of the container's servers.</summary>
internal sealed record ServerInterceptor(RpcInterceptor Interceptor);

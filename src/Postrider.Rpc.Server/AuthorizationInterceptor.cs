using System.Collections.Concurrent;
using System.Security.Claims;
using Microsoft.AspNetCore.Authorization;
using Postrider.Rpc.Hosting;

namespace Postrider.Rpc.Server;

/// <summary>Checks the authorization attributes of an operation before its implementation is called.</summary>
internal sealed class AuthorizationInterceptor(IAuthorizationService authorization, IAuthorizationPolicyProvider policies) : RpcInterceptor, IRpcAuthorizationChecks
{
    private static readonly ClaimsPrincipal s_anonymous = new(new ClaimsIdentity());

    private readonly ConcurrentDictionary<Operation, AuthorizationPolicy?> _policies = new();

    public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
        => _policies.TryGetValue(call.Operation, out var policy) && policy is null ? next(call) : CheckedAsync(call, next);

    public override async IAsyncEnumerable<TResponse> StreamAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcStreamNext<TRequest, TItem, TResponse> next)
    {
        await CheckAsync(call.Operation, call.Context).ConfigureAwait(false);
        await foreach (var item in next(call).WithCancellation(call.CancellationToken).ConfigureAwait(false))
            yield return item;
    }

    public void Check(RpcService service) => SharedAuthorization.RequirePolicies(policies, [service]);

    private async ValueTask<TResponse> CheckedAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
    {
        await CheckAsync(call.Operation, call.Context).ConfigureAwait(false);
        return await next(call).ConfigureAwait(false);
    }

    private async ValueTask CheckAsync(Operation operation, CallContext context)
    {
        if (!_policies.TryGetValue(operation, out var policy))
            policy = _policies.GetOrAdd(operation, await PolicyAsync(operation).ConfigureAwait(false));
        if (policy is null)
            return;
        var user = context.User ?? s_anonymous;
        var result = await authorization.AuthorizeAsync(user, context, policy).ConfigureAwait(false);
        if (result.Succeeded)
            return;
        throw user.Identity?.IsAuthenticated == true
            ? new RpcException(RpcStatus.Forbidden, $"The caller may not call {operation.Path}.")
            : new RpcException(RpcStatus.Unauthenticated, $"{operation.Path} needs an authenticated caller, and the call has no valid credentials. Send them in a header of the call that the server's authentication reads, such as Authorization, or connect with a client certificate.");
    }

    // As ASP.NET Core does for endpoints.
    private async ValueTask<AuthorizationPolicy?> PolicyAsync(Operation operation)
    {
        if (operation.Metadata.OfType<IAllowAnonymous>().Any())
            return null;
        var policy = await AuthorizationPolicy.CombineAsync(policies, operation.Metadata.OfType<IAuthorizeData>()).ConfigureAwait(false);
        IAuthorizationRequirement[] requirements = [.. operation.Metadata.OfType<IAuthorizationRequirementData>().SelectMany(static data => data.GetRequirements())];
        if (requirements.Length == 0)
            return policy;
        var builder = policy is null ? new AuthorizationPolicyBuilder() : new AuthorizationPolicyBuilder(policy);
        return builder.AddRequirements(requirements).Build();
    }
}

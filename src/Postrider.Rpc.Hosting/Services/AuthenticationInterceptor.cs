namespace Postrider.Rpc.Hosting.Services;

/// <summary>Sets the caller of a call whose transport has not authenticated it.</summary>
internal sealed class AuthenticationInterceptor(RpcAuthenticator authenticator) : RpcInterceptor
{
    public override async ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
    {
        await AuthenticateAsync(call.Context, call.CancellationToken).ConfigureAwait(false);
        return await next(call).ConfigureAwait(false);
    }

    public override async IAsyncEnumerable<TResponse> StreamAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcStreamNext<TRequest, TItem, TResponse> next)
    {
        await AuthenticateAsync(call.Context, call.CancellationToken).ConfigureAwait(false);
        await foreach (var item in next(call).WithCancellation(call.CancellationToken).ConfigureAwait(false))
            yield return item;
    }

    private async ValueTask AuthenticateAsync(CallContext context, CancellationToken ct)
        => context.User ??= await authenticator.AuthenticateAsync(context, ct).ConfigureAwait(false);
}

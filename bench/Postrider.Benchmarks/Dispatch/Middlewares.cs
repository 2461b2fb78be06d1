namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812 // made by generated code

/// <summary>Marks what the three middleware of the pipeline rows fit.</summary>
internal interface IPiped;

[Middleware(Order = 1)]
internal sealed class FirstMiddleware<TRequest, TResponse> : IMiddleware<TRequest, TResponse>
    where TRequest : IRequest<TResponse>, IPiped
{
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        Proof.Hit();
        return await next.Invoke(request, ct).ConfigureAwait(false);
    }
}

[Middleware(Order = 2)]
internal sealed class SecondMiddleware<TRequest, TResponse> : IMiddleware<TRequest, TResponse>
    where TRequest : IRequest<TResponse>, IPiped
{
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        Proof.Hit();
        return await next.Invoke(request, ct).ConfigureAwait(false);
    }
}

[Middleware(Order = 3)]
internal sealed class ThirdMiddleware<TRequest, TResponse> : IMiddleware<TRequest, TResponse>
    where TRequest : IRequest<TResponse>, IPiped
{
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        Proof.Hit();
        return await next.Invoke(request, ct).ConfigureAwait(false);
    }
}

/// <summary>Marks what the three hooks fit.</summary>
internal interface IHooked;

[Middleware(Order = 1)]
internal sealed class BeforeHook<TRequest> : IBeforeHook<TRequest>
    where TRequest : IHooked
{
    public void Before(TRequest request) => Proof.Hit();
}

[Middleware(Order = 2)]
internal sealed class AfterHook<TRequest, TResponse> : IAfterHook<TRequest, TResponse>
    where TRequest : IHooked
{
    public void After(TRequest request, TResponse response) => Proof.Hit();
}

[Middleware(Order = 3)]
internal sealed class SecondBeforeHook<TRequest> : IBeforeHook<TRequest>
    where TRequest : IHooked
{
    public void Before(TRequest request) => Proof.Hit();
}

namespace Postrider.Samples.Converter;

/// <summary>What lives as long as the program.</summary>
internal sealed class Counter
{
    public int Count { get; set; }
}

/// <summary>What lives as long as a call.</summary>
internal sealed class Visit
{
    public async Task<double> Answer(double value)
    {
        await Task.Yield();
        return value;
    }
}

/// <summary>Around every conversion: tells those who listen.</summary>
[Middleware(Order = 10)]
internal sealed class Tell<TRequest, TResponse>(IDispatcher dispatcher) : IMiddleware<TRequest, TResponse>
    where TRequest : IQuery<TResponse>
{
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        var response = await next.Invoke(request, ct);
        if (response is double result)
            await dispatcher.PublishAsync(new Converted(request.ToString() ?? "", result), ct);
        return response;
    }
}

/// <summary>Before every conversion: nothing can be converted that is no number.</summary>
[Middleware(Order = 20)]
internal sealed class RefuseWhatIsNoNumber<TRequest, TResponse> : IAfterHook<TRequest, TResponse>
    where TRequest : IQuery<TResponse>
{
    public void After(TRequest request, TResponse response)
    {
        if (response is double.NaN)
            throw new ArgumentException($"{request} is no number.", nameof(request));
    }
}

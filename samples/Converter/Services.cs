namespace Postrider.Samples.Converter;

/// <summary>A service that lives as long as the program.</summary>
internal sealed class Counter
{
    public int Count { get; set; }
}

/// <summary>A service that lives as long as a call.</summary>
internal sealed class Visit
{
    public async Task<double> Answer(double value)
    {
        await Task.Yield();
        return value;
    }
}

/// <summary>Runs around every conversion and publishes a notification.</summary>
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

/// <summary>Runs before every conversion and rejects values that are not numbers.</summary>
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

using Excalibur.Dispatch;
using Excalibur.Dispatch.Configuration;
using Excalibur.Dispatch.Delivery;
using Excalibur.Dispatch.Delivery.Handlers;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;

namespace Peers.Excalibur;

#pragma warning disable CA1812 // made by the container

internal static class ExcaliburServices
{
    internal static ServiceProvider Make(bool withMiddleware)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        if (withMiddleware)
        {
            // Registered in the container alone, as the published comparison does, none of the middleware would run. The builder
            // makes handlers scoped unless it is told otherwise, and each call would then make a scope.
            services.AddDispatch(builder => builder
                .AddHandlersFromAssembly(typeof(Do).Assembly, ServiceLifetime.Transient)
                .UseMiddleware<FirstMiddleware>().UseMiddleware<SecondMiddleware>().UseMiddleware<ThirdMiddleware>());
            return services.BuildServiceProvider();
        }

        services.AddDispatch();
        services.AddTransient<IActionHandler<Do>, DoHandler>().AddTransient<DoHandler>();
        services.AddTransient<IActionHandler<Ask, int>, AskHandler>().AddTransient<AskHandler>();
        services.AddTransient<IActionHandler<AskPiped, int>, AskPipedHandler>().AddTransient<AskPipedHandler>();
        services.AddTransient<IActionHandler<AskSlowly, int>, AskSlowlyHandler>().AddTransient<AskSlowlyHandler>();
        services.AddTransient<IEventHandler<Told2>, Told2A>().AddTransient<IEventHandler<Told2>, Told2B>();
        services.AddTransient<IEventHandler<Told3>, Told3A>().AddTransient<IEventHandler<Told3>, Told3B>().AddTransient<IEventHandler<Told3>, Told3C>();
        return services.BuildServiceProvider();
    }
}

internal sealed record Do(int Id) : IDispatchAction;

internal sealed record Ask(int Id) : IDispatchAction<int>;

internal sealed record AskPiped(int Id) : IDispatchAction<int>;

internal sealed record AskSlowly(int Id) : IDispatchAction<int>;

internal sealed record Told2(int Id) : IDispatchEvent;

internal sealed record Told3(int Id) : IDispatchEvent;

internal sealed class DoHandler : IActionHandler<Do>
{
    public Task HandleAsync(Do action, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class AskHandler : IActionHandler<Ask, int>
{
    public Task<int> HandleAsync(Ask action, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.FromResult(action.Id);
    }
}

internal sealed class AskPipedHandler : IActionHandler<AskPiped, int>
{
    public Task<int> HandleAsync(AskPiped action, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.FromResult(action.Id);
    }
}

internal sealed class AskSlowlyHandler : IActionHandler<AskSlowly, int>
{
    public async Task<int> HandleAsync(AskSlowly action, CancellationToken cancellationToken)
    {
        await Task.Yield();
        Proof.Hit();
        return action.Id;
    }
}

internal sealed class Told2A : IEventHandler<Told2>
{
    public Task HandleAsync(Told2 eventMessage, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class Told2B : IEventHandler<Told2>
{
    public Task HandleAsync(Told2 eventMessage, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class Told3A : IEventHandler<Told3>
{
    public Task HandleAsync(Told3 eventMessage, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class Told3B : IEventHandler<Told3>
{
    public Task HandleAsync(Told3 eventMessage, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class Told3C : IEventHandler<Told3>
{
    public Task HandleAsync(Told3 eventMessage, CancellationToken cancellationToken) => Heard.Done();
}

internal static class Heard
{
    internal static Task Done()
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}

/// <summary>Passes on; it sees every message, as this peer's middleware does, and counts those of the pipeline row.</summary>
internal abstract class PassingMiddleware : IDispatchMiddleware
{
    public DispatchMiddlewareStage? Stage => DispatchMiddlewareStage.PreProcessing;

    public async ValueTask<IMessageResult> InvokeAsync(
        IDispatchMessage message, IMessageContext context, DispatchRequestDelegate nextDelegate, CancellationToken cancellationToken)
    {
        if (message is AskPiped)
            Proof.Hit();
        return await nextDelegate(message, context, cancellationToken).ConfigureAwait(false);
    }
}

internal sealed class FirstMiddleware : PassingMiddleware;

internal sealed class SecondMiddleware : PassingMiddleware;

internal sealed class ThirdMiddleware : PassingMiddleware;

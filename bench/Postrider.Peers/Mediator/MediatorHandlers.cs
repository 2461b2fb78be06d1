using System.Runtime.CompilerServices;
using global::Mediator;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;

namespace Peers.Mediator;

#pragma warning disable CA1812 // made by the container

internal static class MediatorServices
{
    internal static ServiceProvider Make() => new ServiceCollection()
        .AddMediator()
        .AddSingleton<IPipelineBehavior<AskPiped, int>, Behavior<FirstMark>>()
        .AddSingleton<IPipelineBehavior<AskPiped, int>, Behavior<SecondMark>>()
        .AddSingleton<IPipelineBehavior<AskPiped, int>, Behavior<ThirdMark>>()
        .BuildServiceProvider();
}

// Orleans has an IRequest too, and its package puts it into every file.
internal sealed record Do(int Id) : global::Mediator.IRequest;

internal sealed record Ask(int Id) : IRequest<int>;

internal sealed record AskPiped(int Id) : IRequest<int>;

internal sealed record AskSlowly(int Id) : IRequest<int>;

internal sealed record Count(int To) : IStreamRequest<int>;

internal sealed record Told2(int Id) : INotification;

internal sealed record Told3(int Id) : INotification;

internal sealed class DoHandler : IRequestHandler<Do>
{
    public ValueTask<Unit> Handle(Do request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return default;
    }
}

internal sealed class AskHandler : IRequestHandler<Ask, int>
{
    public ValueTask<int> Handle(Ask request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return new(request.Id);
    }
}

internal sealed class AskPipedHandler : IRequestHandler<AskPiped, int>
{
    public ValueTask<int> Handle(AskPiped request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return new(request.Id);
    }
}

internal sealed class AskSlowlyHandler : IRequestHandler<AskSlowly, int>
{
    public async ValueTask<int> Handle(AskSlowly request, CancellationToken cancellationToken)
    {
        await Task.Yield();
        Proof.Hit();
        return request.Id;
    }
}

internal sealed class CountHandler : IStreamRequestHandler<Count, int>
{
    public async IAsyncEnumerable<int> Handle(Count request, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Proof.Hit();
        for (var i = 0; i < request.To; i++)
        {
            await default(ValueTask);
            yield return i;
        }
    }
}

internal sealed class ToldA : INotificationHandler<Told2>, INotificationHandler<Told3>
{
    public ValueTask Handle(Told2 notification, CancellationToken cancellationToken) => Heard.Done();

    public ValueTask Handle(Told3 notification, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class ToldB : INotificationHandler<Told2>, INotificationHandler<Told3>
{
    public ValueTask Handle(Told2 notification, CancellationToken cancellationToken) => Heard.Done();

    public ValueTask Handle(Told3 notification, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class ToldC : INotificationHandler<Told3>
{
    public ValueTask Handle(Told3 notification, CancellationToken cancellationToken) => Heard.Done();
}

internal static class Heard
{
    internal static ValueTask Done()
    {
        Proof.Hit();
        return default;
    }
}

internal sealed class FirstMark;

internal sealed class SecondMark;

internal sealed class ThirdMark;

internal sealed class Behavior<TMark> : IPipelineBehavior<AskPiped, int>
{
    public async ValueTask<int> Handle(AskPiped message, MessageHandlerDelegate<AskPiped, int> next, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return await next(message, cancellationToken).ConfigureAwait(false);
    }
}

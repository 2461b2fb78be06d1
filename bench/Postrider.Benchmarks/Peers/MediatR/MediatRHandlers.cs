using System.Runtime.CompilerServices;
using global::MediatR;
using Postrider.Benchmarks.Dispatch;

namespace Peers.MediatR;

#pragma warning disable CA1812 // made by the container

internal sealed record Do(int Id) : IRequest;

internal sealed record Ask(int Id) : IRequest<int>;

internal sealed record AskPiped(int Id) : IRequest<int>;

internal sealed record AskSlowly(int Id) : IRequest<int>;

internal sealed record Count(int To) : IStreamRequest<int>;

internal sealed record Told2(int Id) : INotification;

internal sealed record Told3(int Id) : INotification;

internal sealed class DoHandler : IRequestHandler<Do>
{
    public Task Handle(Do request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}

internal sealed class AskHandler : IRequestHandler<Ask, int>, IRequestHandler<AskPiped, int>, IRequestHandler<AskSlowly, int>
{
    public Task<int> Handle(Ask request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.FromResult(request.Id);
    }

    public Task<int> Handle(AskPiped request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.FromResult(request.Id);
    }

    public async Task<int> Handle(AskSlowly request, CancellationToken cancellationToken)
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
    public Task Handle(Told2 notification, CancellationToken cancellationToken) => Heard.Done();

    public Task Handle(Told3 notification, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class ToldB : INotificationHandler<Told2>, INotificationHandler<Told3>
{
    public Task Handle(Told2 notification, CancellationToken cancellationToken) => Heard.Done();

    public Task Handle(Told3 notification, CancellationToken cancellationToken) => Heard.Done();
}

internal sealed class ToldC : INotificationHandler<Told3>
{
    public Task Handle(Told3 notification, CancellationToken cancellationToken) => Heard.Done();
}

internal static class Heard
{
    internal static Task Done()
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}

internal sealed class FirstMark;

internal sealed class SecondMark;

internal sealed class ThirdMark;

internal sealed class Behavior<TMark> : IPipelineBehavior<AskPiped, int>
{
    public async Task<int> Handle(AskPiped request, RequestHandlerDelegate<int> next, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return await next(cancellationToken).ConfigureAwait(false);
    }
}

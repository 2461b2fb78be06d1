using global::MediatR;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;

// Not under Postrider: its own IRequestHandler would be found before the peer's.
namespace Peers.MediatR;

#pragma warning disable CA1812 // found by reflection, made by the container

internal sealed record PeerCommand(int Id) : IRequest;

internal sealed record PeerQuery(int Id) : IRequest<int>;

internal sealed record PeerPiped(int Id) : IRequest<int>;

internal sealed record PeerNote3(int Id) : INotification;

internal sealed class PeerCommandHandler : IRequestHandler<PeerCommand>
{
    public Task Handle(PeerCommand request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}

internal sealed class PeerQueryHandler : IRequestHandler<PeerQuery, int>, IRequestHandler<PeerPiped, int>
{
    public Task<int> Handle(PeerQuery request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.FromResult(request.Id);
    }

    public Task<int> Handle(PeerPiped request, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.FromResult(request.Id);
    }
}

internal sealed class NoteA : INotificationHandler<PeerNote3>
{
    public Task Handle(PeerNote3 notification, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}

internal sealed class NoteB : INotificationHandler<PeerNote3>
{
    public Task Handle(PeerNote3 notification, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}

internal sealed class NoteC : INotificationHandler<PeerNote3>
{
    public Task Handle(PeerNote3 notification, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}

internal sealed class First : IPipelineBehavior<PeerPiped, int>
{
    public async Task<int> Handle(PeerPiped request, RequestHandlerDelegate<int> next, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return await next(cancellationToken).ConfigureAwait(false);
    }
}

internal sealed class Second : IPipelineBehavior<PeerPiped, int>
{
    public async Task<int> Handle(PeerPiped request, RequestHandlerDelegate<int> next, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return await next(cancellationToken).ConfigureAwait(false);
    }
}

internal sealed class Third : IPipelineBehavior<PeerPiped, int>
{
    public async Task<int> Handle(PeerPiped request, RequestHandlerDelegate<int> next, CancellationToken cancellationToken)
    {
        Proof.Hit();
        return await next(cancellationToken).ConfigureAwait(false);
    }
}

internal abstract class MediatRRow : BenchRow
{
    public override string Subject => "MediatR";

    protected IMediator Sender { get; private set; } = null!;

    public override void Setup()
        => Sender = new ServiceCollection()
            .AddMediatR(c => c
                .RegisterServicesFromAssemblyContaining<PeerQuery>()
                .AddBehavior<IPipelineBehavior<PeerPiped, int>, First>()
                .AddBehavior<IPipelineBehavior<PeerPiped, int>, Second>()
                .AddBehavior<IPipelineBehavior<PeerPiped, int>, Third>())
            .BuildServiceProvider().GetRequiredService<IMediator>();

    protected static int Value(Task<int> task)
    {
        if (!task.IsCompletedSuccessfully)
            NotComplete();
        return task.Result;
    }
}

internal sealed class MediatRQuery : MediatRRow
{
    public override string Row => "query, IDispatcher";

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += Value(Sender.Send(new PeerQuery(i)));
    }
}

internal sealed class MediatRCommand : MediatRRow
{
    public override string Row => "command, IDispatcher";

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            if (!Sender.Send(new PeerCommand(i)).IsCompletedSuccessfully)
                NotComplete();
        }
    }
}

internal sealed class MediatRMiddleware : MediatRRow
{
    public override string Row => "query, 3 async middleware, IDispatcher";

    public override int HitsPerOperation => 4;

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += Value(Sender.Send(new PeerPiped(i)));
    }
}

internal sealed class MediatRPublish : MediatRRow
{
    public override string Row => "notification, 3 handlers, IDispatcher";

    public override int HitsPerOperation => 3;

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            if (!Sender.Publish(new PeerNote3(i)).IsCompletedSuccessfully)
                NotComplete();
        }
    }
}

namespace Postrider.UnitTests.Dispatch;

#pragma warning disable CA1812 // made by generated code

internal sealed partial record UnitCommand(int Id) : ICommand;

internal sealed partial record UnitQuery(int Id) : IQuery<int>;

internal sealed record UnitPlainQuery(int Id) : IQuery<int>;

internal sealed partial record UnitPiped(int Id) : IQuery<int>, IUnitPiped;

internal sealed partial record UnitHooked(int Id) : IQuery<int>, IUnitHooked;

internal sealed partial record UnitNote(int Id) : INotification;

internal sealed partial record UnitWithContext(int Id) : IQuery<int>;

internal sealed partial record UnitScoped(int Id) : IQuery<int>;

internal sealed partial record UnitStateful(int Id) : IQuery<int>;

internal sealed partial record UnitNumbers(int Count) : IStreamRequest<int>;

[Publish(PublishStrategy.SequentialContinue)]
internal sealed partial record UnitContinued(int Id) : INotification;

[Publish(PublishStrategy.Parallel)]
internal sealed partial record UnitParallel(int Id) : INotification;

[Publish(PublishStrategy.Background)]
internal sealed partial record UnitBackground(int Id) : INotification;

internal sealed partial record UnitScopedNote(int Id) : INotification;

internal sealed class UnitVisit;

internal sealed class UnitScopedHandler(UnitVisit visit) : IRequestHandler<UnitScoped, int>, INotificationHandler<UnitScopedNote>
{
    public ValueTask<int> Handle(UnitScoped request, CancellationToken ct) => new(visit is null ? 0 : request.Id);

    public ValueTask Handle(UnitScopedNote notification, CancellationToken ct) => default;
}

internal sealed class UnitStatefulHandler : IRequestHandler<UnitStateful, int>
{
    private int _calls; // makes it transient

    public ValueTask<int> Handle(UnitStateful request, CancellationToken ct) => new(request.Id + ++_calls);
}

internal sealed class UnitNumbersHandler : IStreamRequestHandler<UnitNumbers, int>
{
    public async IAsyncEnumerable<int> Handle(UnitNumbers request, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct)
    {
        for (var i = 0; i < request.Count; i++)
        {
            await default(ValueTask);
            yield return i;
        }
    }
}

internal sealed class UnitStrategiesHandler
    : INotificationHandler<UnitContinued>, INotificationHandler<UnitParallel>, INotificationHandler<UnitBackground>
{
    public ValueTask Handle(UnitContinued notification, CancellationToken ct) => default;

    public ValueTask Handle(UnitParallel notification, CancellationToken ct) => default;

    public ValueTask Handle(UnitBackground notification, CancellationToken ct) => default;
}

internal sealed class UnitHandler : IRequestHandler<UnitQuery, int>, IRequestHandler<UnitPlainQuery, int>, IRequestHandler<UnitPiped, int>,
    IRequestHandler<UnitHooked, int>, ICommandHandler<UnitCommand>
{
    public ValueTask<int> Handle(UnitQuery request, CancellationToken ct) => new(request.Id);

    public ValueTask<int> Handle(UnitPlainQuery request, CancellationToken ct) => new(request.Id);

    public ValueTask<int> Handle(UnitPiped request, CancellationToken ct) => new(request.Id);

    public ValueTask<int> Handle(UnitHooked request, CancellationToken ct) => new(request.Id);

    public ValueTask Handle(UnitCommand command, CancellationToken ct) => default;
}

internal sealed class UnitNoteHandlerA : INotificationHandler<UnitNote>
{
    public ValueTask Handle(UnitNote notification, CancellationToken ct) => default;
}

internal sealed class UnitNoteHandlerB : INotificationHandler<UnitNote>
{
    public ValueTask Handle(UnitNote notification, CancellationToken ct) => default;
}

internal static class UnitContextHandler
{
    [Handler]
    public static int Handle(UnitWithContext request, MessageContext context) => request.Id + (context.Deadline is null ? 0 : 1);
}

internal interface IUnitPiped;

internal interface IUnitHooked;

[Middleware(Order = 1)]
internal sealed class UnitMiddleware<TRequest, TResponse> : IMiddleware<TRequest, TResponse>
    where TRequest : IRequest<TResponse>, IUnitPiped
{
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
        => await next.Invoke(request, ct);
}

[Middleware(Order = 2)]
internal sealed class UnitHooks<TRequest, TResponse> : IBefore<TRequest>, IAfter<TRequest, TResponse>, IFinally<TRequest>
    where TRequest : IUnitHooked
{
    public void Before(TRequest request)
    {
    }

    public void After(TRequest request, TResponse response)
    {
    }

    public void Finally(TRequest request, Exception? error)
    {
    }
}

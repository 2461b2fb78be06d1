using System.Runtime.CompilerServices;

namespace Postrider.UnitTests.Dispatch;

#pragma warning disable CA1812 // made by generated code

internal sealed partial record UnitCommand(int Id) : ICommand;

internal sealed partial record UnitQuery(int Id) : IQuery<int>;

internal sealed record UnitPlainQuery(int Id) : IQuery<int>;

internal sealed partial record UnitPiped(int Id) : IQuery<int>, IUnitPiped;

internal sealed partial record UnitHooked(int Id) : IQuery<int>, IUnitHooked;

internal sealed partial record UnitNote(int Id) : INotification;

internal sealed partial record UnitAlone(int Id) : INotification;

internal sealed partial record UnitToThree(int Id) : INotification;

internal sealed partial record UnitPipedNote(int Id) : INotification, IUnitPipedNote;

internal sealed partial record UnitContextNote(int Id) : INotification;

internal sealed partial record UnitContextPiped(int Id) : IQuery<int>, IUnitContextPiped;

internal sealed partial record UnitProcessed(int Id) : IQuery<int>, IUnitProcessed;

internal sealed partial record UnitMethod(int Id) : IQuery<int>;

internal sealed partial record UnitPlainNumbers(int Count) : IStreamRequest<int>, IUnitPlainNumbers;

internal sealed partial record UnitWithContext(int Id) : IQuery<int>;

internal sealed partial record UnitOrigin : IQuery<string>;

internal sealed partial record UnitScoped(int Id) : IQuery<int>;

internal sealed partial record UnitStateful(int Id) : IQuery<int>;

internal sealed partial record UnitNumbers(int Count) : IStreamRequest<int>;

internal sealed partial record UnitScopedNumbers(int Count) : IStreamRequest<int>;

internal sealed partial record UnitContextNumbers(int Count) : IStreamRequest<int>;

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

internal sealed class UnitNumbersHandler : IStreamRequestHandler<UnitNumbers, int>, IStreamRequestHandler<UnitPlainNumbers, int>
{
    public IAsyncEnumerable<int> Handle(UnitNumbers request, CancellationToken ct) => Count(request.Count, ct);

    public IAsyncEnumerable<int> Handle(UnitPlainNumbers request, CancellationToken ct) => Count(request.Count, ct);

    internal static async IAsyncEnumerable<int> Count(int to, [EnumeratorCancellation] CancellationToken ct)
    {
        for (var i = 0; i < to; i++)
        {
            ct.ThrowIfCancellationRequested();
            await default(ValueTask);
            yield return i;
        }
    }
}

internal sealed class UnitScopedNumbersHandler(UnitVisit visit) : IStreamRequestHandler<UnitScopedNumbers, int>
{
    public IAsyncEnumerable<int> Handle(UnitScopedNumbers request, CancellationToken ct)
        => UnitNumbersHandler.Count(visit is null ? 0 : request.Count, ct);
}

internal sealed class UnitStrategiesHandler
    : INotificationHandler<UnitContinued>, INotificationHandler<UnitParallel>, INotificationHandler<UnitBackground>
{
    public ValueTask Handle(UnitContinued notification, CancellationToken ct) => default;

    public ValueTask Handle(UnitParallel notification, CancellationToken ct) => default;

    public ValueTask Handle(UnitBackground notification, CancellationToken ct) => default;
}

internal sealed class UnitHandler : IRequestHandler<UnitQuery, int>, IRequestHandler<UnitPlainQuery, int>, IRequestHandler<UnitPiped, int>,
    IRequestHandler<UnitHooked, int>, IRequestHandler<UnitContextPiped, int>, IRequestHandler<UnitProcessed, int>, ICommandHandler<UnitCommand>
{
    public ValueTask<int> Handle(UnitContextPiped request, CancellationToken ct) => new(request.Id);

    public ValueTask<int> Handle(UnitProcessed request, CancellationToken ct) => new(request.Id);

    public ValueTask<int> Handle(UnitQuery request, CancellationToken ct) => new(request.Id);

    public ValueTask<int> Handle(UnitPlainQuery request, CancellationToken ct) => new(request.Id);

    public ValueTask<int> Handle(UnitPiped request, CancellationToken ct) => new(request.Id);

    public ValueTask<int> Handle(UnitHooked request, CancellationToken ct) => new(request.Id);

    public ValueTask Handle(UnitCommand command, CancellationToken ct) => default;
}

internal sealed class UnitNoteHandlerA : INotificationHandler<UnitNote>, INotificationHandler<UnitAlone>, INotificationHandler<UnitToThree>
{
    public ValueTask Handle(UnitNote notification, CancellationToken ct) => default;

    public ValueTask Handle(UnitAlone notification, CancellationToken ct) => default;

    public ValueTask Handle(UnitToThree notification, CancellationToken ct) => default;
}

internal sealed class UnitNoteHandlerB : INotificationHandler<UnitNote>, INotificationHandler<UnitToThree>
{
    public ValueTask Handle(UnitNote notification, CancellationToken ct) => default;

    public ValueTask Handle(UnitToThree notification, CancellationToken ct) => default;
}

internal sealed class UnitNoteHandlerC : INotificationHandler<UnitToThree>, INotificationHandler<UnitPipedNote>
{
    public ValueTask Handle(UnitPipedNote notification, CancellationToken ct) => default;

    public ValueTask Handle(UnitToThree notification, CancellationToken ct) => default;
}

internal static class UnitMethodHandlers
{
    [Handler]
    public static int Handle(UnitMethod request, TimeProvider time) => time is null ? 0 : request.Id;

    [Handler]
    public static IAsyncEnumerable<int> Handle(UnitContextNumbers request, MessageContext context, CancellationToken ct)
        => UnitNumbersHandler.Count(context.Deadline is null ? request.Count : 0, ct);

    [Handler]
    public static void Handle(UnitContextNote notification, MessageContext context)
    {
        if (context.Deadline is not null)
            throw new InvalidOperationException($"Nobody set a deadline for {notification}.");
    }

    [Handler]
    public static string Handle(UnitOrigin request, MessageContext context)
        => $"{context.Headers["tenant"]} {context.CorrelationId} {context.Deadline > TimeProvider.System.GetUtcNow()} {context.User?.Identity?.Name}";

    [Handler]
    public static int Handle(UnitWithContext request, MessageContext context) => request.Id + (context.Deadline is null ? 0 : 1);
}

internal interface IUnitPiped;

internal interface IUnitPipedNote;

internal interface IUnitHooked;

internal interface IUnitContextPiped;

internal interface IUnitProcessed;

internal interface IUnitPlainNumbers;

[Middleware(Order = 1)]
internal sealed class UnitMiddleware<TRequest, TResponse> : IMiddleware<TRequest, TResponse>
    where TRequest : IRequest<TResponse>, IUnitPiped
{
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
        => await next.Invoke(request, ct);
}

[Middleware(Order = 1)]
internal sealed class UnitNoteMiddleware<TNotification> : IMiddleware<TNotification, Unit>
    where TNotification : IUnitPipedNote
{
    public async ValueTask<Unit> Handle(TNotification request, Next<TNotification, Unit> next, CancellationToken ct)
        => await next.Invoke(request, ct);
}

[Middleware(Order = 2)]
internal sealed class UnitNoteHooks<TNotification> : IBeforeHook<TNotification>, IFinallyHook<TNotification>
    where TNotification : IUnitPipedNote
{
    public void Before(TNotification request)
    {
    }

    public void Finally(TNotification request, Exception? error)
    {
    }
}

[Middleware]
internal sealed class UnitContextMiddleware<TRequest, TResponse> : IContextMiddleware<TRequest, TResponse>
    where TRequest : IRequest<TResponse>, IUnitContextPiped
{
    public ValueTask<TResponse> Handle(TRequest request, MessageContext context, Next<TRequest, TResponse> next, CancellationToken ct)
        => context.Deadline is null ? next.Invoke(request, ct) : throw new InvalidOperationException("Nobody set a deadline.");
}

[Middleware]
internal sealed class UnitStreamMiddleware<TRequest> : IStreamMiddleware<TRequest, int>
    where TRequest : IStreamRequest<int>, IUnitPlainNumbers
{
    public async IAsyncEnumerable<int> Handle(
        TRequest request, NextStream<TRequest, int> next, [EnumeratorCancellation] CancellationToken ct)
    {
        await foreach (var item in next.Invoke(request, ct))
            yield return item;
    }
}

[Middleware(Order = 1)]
internal sealed class UnitExceptions<TRequest, TResponse>
    : IExceptionHandler<TRequest, TResponse, InvalidOperationException>, IExceptionAction<TRequest, InvalidOperationException>
    where TRequest : IRequest<TResponse>, IUnitProcessed
{
    public ValueTask<ExceptionHandlerResult<TResponse>> Handle(TRequest request, InvalidOperationException exception, CancellationToken ct) => default;

    public ValueTask Act(TRequest request, InvalidOperationException exception, CancellationToken ct) => default;
}

[Middleware(Order = 2)]
internal sealed class UnitProcessors<TRequest, TResponse> : IPreProcessor<TRequest>, IPostProcessor<TRequest, TResponse>
    where TRequest : IRequest<TResponse>, IUnitProcessed
{
    public ValueTask Process(TRequest request, CancellationToken ct) => default;

    public ValueTask Process(TRequest request, TResponse response, CancellationToken ct) => default;
}

[Middleware(Order = 2)]
internal sealed class UnitHooks<TRequest, TResponse> : IBeforeHook<TRequest>, IAfterHook<TRequest, TResponse>, IFinallyHook<TRequest>
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

using System.Runtime.CompilerServices;

namespace Postrider.Benchmarks.Dispatch;

// The messages and handlers of the rows. Every message is 24 bytes, as in the published comparison; handlers do nothing.
#pragma warning disable CA1812 // made by generated code

internal sealed partial record Command(int Id) : ICommand;

internal sealed partial record Query(int Id) : IQuery<int>;

internal sealed record PlainQuery(int Id) : IQuery<int>;

internal sealed partial record Piped(int Id) : IQuery<int>, IPiped;

internal sealed partial record Hooked(int Id) : IQuery<int>, IHooked;

internal sealed partial record Note2(int Id) : INotification;

internal sealed partial record Note3(int Id) : INotification;

internal sealed partial record Suspending(int Id) : IQuery<int>;

internal sealed partial record Numbers(int Count) : IStreamRequest<int>;

internal sealed partial record WithContext(int Id) : IQuery<int>;

internal sealed partial record InTransient(int Id) : IQuery<int>;

internal sealed partial record InScope(int Id) : IQuery<int>;

internal sealed partial record WithService(int Id) : IQuery<int>;

internal sealed partial record WithState(int Id) : IQuery<int>;

internal sealed partial record Routed(int Id) : IQuery<int>;

internal sealed partial record Traced(int Id) : IQuery<int>;

internal sealed class Dependency;

internal sealed class CommandHandler : ICommandHandler<Command>
{
    public ValueTask Handle(Command command, CancellationToken ct)
    {
        Proof.Hit();
        return default;
    }
}

internal sealed class QueryHandler : IRequestHandler<Query, int>
{
    public ValueTask<int> Handle(Query request, CancellationToken ct)
    {
        Proof.Hit();
        return new(request.Id);
    }
}

internal sealed class PlainQueryHandler : IRequestHandler<PlainQuery, int>
{
    public ValueTask<int> Handle(PlainQuery request, CancellationToken ct)
    {
        Proof.Hit();
        return new(request.Id);
    }
}

internal sealed class PipedHandler : IRequestHandler<Piped, int>
{
    public ValueTask<int> Handle(Piped request, CancellationToken ct)
    {
        Proof.Hit();
        return new(request.Id);
    }
}

internal sealed class HookedHandler : IRequestHandler<Hooked, int>
{
    public ValueTask<int> Handle(Hooked request, CancellationToken ct)
    {
        Proof.Hit();
        return new(request.Id);
    }
}

internal sealed class NoteHandlerA : INotificationHandler<Note2>, INotificationHandler<Note3>
{
    public ValueTask Handle(Note2 notification, CancellationToken ct)
    {
        Proof.Hit();
        return default;
    }

    public ValueTask Handle(Note3 notification, CancellationToken ct)
    {
        Proof.Hit();
        return default;
    }
}

internal sealed class NoteHandlerB : INotificationHandler<Note2>, INotificationHandler<Note3>
{
    public ValueTask Handle(Note2 notification, CancellationToken ct)
    {
        Proof.Hit();
        return default;
    }

    public ValueTask Handle(Note3 notification, CancellationToken ct)
    {
        Proof.Hit();
        return default;
    }
}

internal sealed class NoteHandlerC : INotificationHandler<Note3>
{
    public ValueTask Handle(Note3 notification, CancellationToken ct)
    {
        Proof.Hit();
        return default;
    }
}

internal sealed class SuspendingHandler : IRequestHandler<Suspending, int>
{
    public async ValueTask<int> Handle(Suspending request, CancellationToken ct)
    {
        await Task.Yield();
        Proof.Hit();
        return request.Id;
    }
}

internal sealed class NumbersHandler : IStreamRequestHandler<Numbers, int>
{
    public IAsyncEnumerable<int> Handle(Numbers request, CancellationToken ct) => Sequence(request.Count, ct);

    internal static async IAsyncEnumerable<int> Sequence(int count, [EnumeratorCancellation] CancellationToken ct)
    {
        Proof.Hit();
        for (var i = 0; i < count; i++)
        {
            await default(ValueTask);
            yield return i;
        }
    }
}

internal static class ContextHandler
{
    [Handler]
    public static ValueTask<int> Handle(WithContext request, MessageContext context)
    {
        Proof.Hit();
        return new(request.Id + context.Headers.Count);
    }
}

[Handler(Lifetime = HandlerLifetime.Transient)]
internal sealed class InTransientHandler(Dependency dependency) : IRequestHandler<InTransient, int>
{
    public ValueTask<int> Handle(InTransient request, CancellationToken ct)
    {
        Proof.Hit();
        return new(request.Id + (dependency is null ? 1 : 0));
    }
}

[Handler(Lifetime = HandlerLifetime.Scoped)]
internal sealed class InScopeHandler(Dependency dependency) : IRequestHandler<InScope, int>
{
    public ValueTask<int> Handle(InScope request, CancellationToken ct)
    {
        Proof.Hit();
        return new(request.Id + (dependency is null ? 1 : 0));
    }
}

[Handler(Lifetime = HandlerLifetime.Singleton)]
internal sealed class WithServiceHandler(Dependency dependency) : IRequestHandler<WithService, int>
{
    public ValueTask<int> Handle(WithService request, CancellationToken ct)
    {
        Proof.Hit();
        return new(request.Id + (dependency is null ? 1 : 0));
    }
}

internal sealed class WithStateHandler : IRequestHandler<WithState, int>
{
    private int _calls; // makes it transient

    public ValueTask<int> Handle(WithState request, CancellationToken ct)
    {
        Proof.Hit();
        return new(request.Id + _calls++);
    }
}

internal static class StaticHandlers
{
    [Handler]
    public static int Handle(Routed request)
    {
        Proof.Hit();
        return request.Id;
    }

    [Handler]
    public static int Handle(Traced request)
    {
        Proof.Hit();
        return request.Id;
    }
}

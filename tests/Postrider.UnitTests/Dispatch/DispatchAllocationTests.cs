using Microsoft.Extensions.DependencyInjection;

namespace Postrider.UnitTests.Dispatch;

/// <summary>The messages are made beforehand: a form allocates nothing beyond them.</summary>
public sealed class DispatchAllocationTests
{
    // A debug build makes the state machine of an async method a class.
#if DEBUG
    private const long MostBytesOfAStateMachine = 256;
#else
    private const long MostBytesOfAStateMachine = 0;
#endif

    // The object that holds a stream's scope and context and is its enumerator: 11 fields.
    private const long MostBytesOfAnEnumeration = 104 + MostBytesOfAStateMachine;

    private readonly ServiceProvider _provider = new ServiceCollection().AddScoped<UnitVisit>().AddSingleton(TimeProvider.System)
        .AddPostrider(o => o.BackgroundQueueLength = 100_000).BuildServiceProvider();

    private readonly IDispatcher _dispatcher;

    public DispatchAllocationTests() => _dispatcher = _provider.GetRequiredService<IDispatcher>();

    [Fact]
    public void Query_allocates_nothing() => Assert.Equal(0, Bytes(new UnitQuery(1)));

    [Fact]
    public void Query_whose_message_is_not_partial_allocates_nothing() => Assert.Equal(0, Bytes(new UnitPlainQuery(1)));

    // A debug build makes a state machine a class: what counts is that the pipeline adds nothing to the middleware's own frame.
    [Fact]
    public void Query_through_async_middleware_allocates_nothing_beyond_the_middleware_itself()
    {
        var middleware = new UnitMiddleware<UnitPiped, int>();
        var next = new Next<UnitPiped, int>(new Answer(), state: null);
        var query = new UnitPiped(1);
        var bare = Allocations.PerCall(() => Complete(middleware.Handle(query, next, default)));

        Assert.Equal(bare, Bytes(query));
    }

    [Fact]
    public void Query_through_hooks_allocates_nothing() => Assert.Equal(0, Bytes(new UnitHooked(1)));

    [Fact]
    public void Query_with_a_context_allocates_nothing() => Assert.Equal(0, Bytes(new UnitWithContext(1)));

    [Fact]
    public void Command_allocates_nothing()
    {
        var command = new UnitCommand(1);

        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.SendAsync(command)));
    }

    [Fact]
    public void Notification_allocates_nothing_however_many_hear_it()
    {
        var (alone, note, three) = (new UnitAlone(1), new UnitNote(1), new UnitToThree(1));

        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PublishAsync(alone)));
        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PublishAsync(note)));
        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PublishAsync(three)));
    }

    [Fact]
    public void Notification_with_a_context_allocates_nothing()
    {
        var note = new UnitContextNote(1);

        Assert.InRange(Allocations.PerCall(() => _dispatcher.PublishAsync(note)), 0, MostBytesOfAStateMachine);
    }

    [Fact]
    public void Message_that_arrives_as_an_object_allocates_nothing_but_the_box_of_its_response()
    {
        object query = new UnitQuery(1), command = new UnitCommand(1), note = new UnitToThree(1);
        var box = Allocations.PerCall(() => GC.KeepAlive((object)query.GetHashCode()));

        Assert.Equal(0, Allocations.PerCall(() => Complete(_dispatcher.SendAsync<int>(query))));
        Assert.Equal(0, Allocations.PerCall(() => Complete(_dispatcher.SendAsync(command))));
        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PublishAsync(note)));
        Assert.Equal(box, Allocations.PerCall(() => Complete(_dispatcher.SendAsync(query))));
    }

    [Fact]
    public void Handler_method_with_a_service_that_lives_once_allocates_nothing() => Assert.Equal(0, Bytes(new UnitMethod(1)));

    [Fact]
    public void Query_through_middleware_that_takes_the_context_allocates_nothing() => Assert.Equal(0, Bytes(new UnitContextPiped(1)));

    [Fact]
    public void Query_through_processors_and_exception_handlers_allocates_nothing()
        => Assert.InRange(Bytes(new UnitProcessed(1)), 0, 2 * MostBytesOfAStateMachine);

    [Fact]
    public void Dispatch_that_is_traced_while_nobody_listens_allocates_nothing()
    {
        var traced = new ServiceCollection().AddPostrider(o => o.Telemetry = true).BuildServiceProvider().GetRequiredService<IDispatcher>();
        IRequest<int> query = new UnitPlainQuery(1);

        Assert.Equal(0, Allocations.PerCall(() => Complete(traced.SendAsync(query))));
    }

    [Fact]
    public void Visible_query_and_command_allocate_nothing_whatever_dispatcher_they_are_sent_through()
    {
        var query = new UnitQuery(1);
        var concrete = _provider.GetRequiredService<Postrider.Generated.AppDispatcher>();

        Assert.Equal(0, Allocations.PerCall(() => Complete(_dispatcher.SendAsync(query))));
        Assert.Equal(0, Allocations.PerCall(() => Complete(concrete.SendAsync(query))));
    }

    [Fact]
    public void Handler_in_the_callers_scope_is_reused_and_allocates_nothing()
    {
        var scoped = _provider.CreateScope().ServiceProvider.GetRequiredService<IDispatcher>();
        var query = new UnitScoped(1);
        var note = new UnitScopedNote(1);

        Assert.Equal(0, Allocations.PerCall(() => Complete(scoped.SendAsync(query))));
        Assert.Equal(0, Allocations.PerCall(() => scoped.PublishAsync(note)));
    }

    [Fact]
    public void Scope_made_for_a_call_costs_the_scope_and_what_is_made_in_it()
    {
        var query = new UnitScoped(1);
        var services = new ServiceCollection().AddScoped<UnitVisit>().AddScoped<UnitScopedHandler>();
        var scopes = services.BuildServiceProvider().GetRequiredService<IServiceScopeFactory>();
        var (bare, ours) = (0L, 0L);

        // Containers compile what they resolve often, in the background: until then it costs more.
        SpinWait.SpinUntil(() => (bare = Bare()) == (ours = Bytes(query)), TimeSpan.FromSeconds(30));

        Assert.Equal(bare, ours);

        long Bare() => Allocations.PerCall(() =>
        {
            using var scope = scopes.CreateScope();
            Complete(scope.ServiceProvider.GetRequiredService<UnitScopedHandler>().Handle(query, default));
        });
    }

    [Fact]
    public void Transient_handler_costs_itself()
    {
        var bare = Allocations.PerCall(() => GC.KeepAlive(new UnitStatefulHandler()));

        Assert.Equal(bare, Bytes(new UnitStateful(1)));
    }

    [Fact]
    public void Stream_costs_the_handlers_own_sequence()
    {
        var request = new UnitNumbers(10);
        var handler = new UnitNumbersHandler();
        var bare = Allocations.PerCall(() => Enumerate(handler.Handle(request, default)));

        Assert.Equal(bare, Allocations.PerCall(() => Enumerate(_dispatcher.StreamAsync(request))));
    }

    [Fact]
    public void Stream_through_middleware_costs_the_sequences_of_handler_and_middleware()
    {
        var request = new UnitPlainNumbers(10);
        var middleware = new UnitStreamMiddleware<UnitPlainNumbers>();
        var next = new NextStream<UnitPlainNumbers, int>(new Items(), state: null);
        var bare = Allocations.PerCall(() => Enumerate(middleware.Handle(request, next, default)));

        Assert.Equal(bare, Allocations.PerCall(() => Enumerate(_dispatcher.StreamAsync(request))));
    }

    [Fact]
    public void Stream_in_the_callers_scope_costs_the_handlers_own_sequence()
    {
        var services = _provider.CreateScope().ServiceProvider;
        var scoped = services.GetRequiredService<IDispatcher>();
        var request = new UnitScopedNumbers(10);
        var handler = new UnitScopedNumbersHandler(services.GetRequiredService<UnitVisit>());
        var bare = Allocations.PerCall(() => Enumerate(handler.Handle(request, default)));

        Assert.Equal(bare, Allocations.PerCall(() => Enumerate(scoped.StreamAsync(request))));
    }

    [Fact]
    public void Stream_with_a_context_costs_the_handlers_own_sequence_and_one_object()
    {
        var request = new UnitContextNumbers(10);
        var handler = new UnitNumbersHandler();
        var bare = Allocations.PerCall(() => Enumerate(handler.Handle(new UnitNumbers(10), default)))
            - Allocations.PerCall(() => GC.KeepAlive(new UnitNumbers(10)));

        Assert.InRange(Allocations.PerCall(() => Enumerate(_dispatcher.StreamAsync(request))) - bare, 1, MostBytesOfAnEnumeration);
    }

    [Fact]
    public void Stream_that_makes_a_scope_costs_the_scope_the_handlers_own_sequence_and_one_object()
    {
        var request = new UnitScopedNumbers(10);
        var services = new ServiceCollection().AddScoped<UnitVisit>().AddScoped<UnitScopedNumbersHandler>();
        var scopes = services.BuildServiceProvider().GetRequiredService<IServiceScopeFactory>();
        var beyond = 0L;

        // Containers compile what they resolve often, in the background: until then it costs more.
        SpinWait.SpinUntil(
            () => (beyond = Allocations.PerCall(() => Enumerate(_dispatcher.StreamAsync(request))) - Bare()) is > 0 and <= MostBytesOfAnEnumeration,
            TimeSpan.FromSeconds(30));

        Assert.InRange(beyond, 1, MostBytesOfAnEnumeration);

        long Bare() => Allocations.PerCall(() =>
        {
            using var scope = scopes.CreateScope();
            Enumerate(scope.ServiceProvider.GetRequiredService<UnitScopedNumbersHandler>().Handle(request, default));
        });
    }

    [Fact]
    public void Typed_overloads_allocate_nothing_for_any_kind_of_message()
    {
        var concrete = _provider.GetRequiredService<Postrider.Generated.AppDispatcher>();
        var (command, piped, hooked, three) = (new UnitCommand(1), new UnitContextPiped(1), new UnitHooked(1), new UnitToThree(1));

        Assert.Equal(0, Allocations.PerCall(() => concrete.SendAsync(command)));
        Assert.Equal(0, Allocations.PerCall(() => Complete(concrete.SendAsync(piped))));
        Assert.Equal(0, Allocations.PerCall(() => Complete(concrete.SendAsync(hooked))));
        Assert.Equal(0, Allocations.PerCall(() => concrete.PublishAsync(three)));
    }

    [Fact]
    public void Strategies_that_wait_for_all_handlers_allocate_nothing_while_these_complete_at_once()
    {
        var continued = new UnitContinued(1);
        var parallel = new UnitParallel(1);

        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PublishAsync(continued)));
        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PublishAsync(parallel)));
    }

    [Fact]
    public void Notification_through_middleware_and_hooks_allocates_nothing()
    {
        var note = new UnitPipedNote(1);

        Assert.InRange(Allocations.PerCall(() => _dispatcher.PublishAsync(note)), 0, MostBytesOfAStateMachine);
    }

    [Fact]
    public void Handing_over_to_the_background_allocates_nothing()
    {
        var note = new UnitBackground(1);
        var posted = new UnitCommand(1);

        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PublishAsync(note)));
        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PostAsync(posted)));
    }

    private static void Enumerate(IAsyncEnumerable<int> items)
    {
        var enumerator = items.GetAsyncEnumerator();
        while (true)
        {
            var next = enumerator.MoveNextAsync();
            if (!next.IsCompletedSuccessfully)
                throw new InvalidOperationException("The sequence did not go on at once.");
            if (!next.Result)
                break;
        }

        var ended = enumerator.DisposeAsync();
        if (!ended.IsCompletedSuccessfully)
            throw new InvalidOperationException("The sequence did not end at once.");
        ended.GetAwaiter().GetResult();
    }

    private long Bytes(IRequest<int> query) => Allocations.PerCall(() => Complete(_dispatcher.SendAsync(query)));

    private static void Complete<T>(ValueTask<T> task)
    {
        if (!task.IsCompletedSuccessfully)
            throw new InvalidOperationException("The call did not complete at once.");
    }

    private sealed class Answer : RequestPipeline<UnitPiped, int>
    {
        public override ValueTask<int> Invoke(UnitPiped request, object? state, CancellationToken ct) => new(request.Id);
    }

    private sealed class Items : StreamPipeline<UnitPlainNumbers, int>
    {
        private readonly UnitNumbersHandler _handler = new();

        public override IAsyncEnumerable<int> Invoke(UnitPlainNumbers request, object? state, CancellationToken ct)
            => _handler.Handle(request, ct);
    }
}

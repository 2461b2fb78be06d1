using Microsoft.Extensions.DependencyInjection;

namespace Postrider.UnitTests.Dispatch;

/// <summary>The messages are made beforehand: a form allocates nothing beyond them.</summary>
public sealed class DispatchAllocationTests
{
    private readonly IDispatcher _dispatcher = new ServiceCollection().AddPostrider().BuildServiceProvider().GetRequiredService<IDispatcher>();

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
    public void Notification_to_two_handlers_allocates_nothing()
    {
        var note = new UnitNote(1);

        Assert.Equal(0, Allocations.PerCall(() => _dispatcher.PublishAsync(note)));
    }

    [Fact]
    public void Dispatch_that_is_traced_while_nobody_listens_allocates_nothing()
    {
        var traced = new ServiceCollection().AddPostrider(o => o.Telemetry = true).BuildServiceProvider().GetRequiredService<IDispatcher>();
        IRequest<int> query = new UnitPlainQuery(1);

        Assert.Equal(0, Allocations.PerCall(() => Complete(traced.SendAsync(query))));
    }

    private long Bytes(IRequest<int> query) => Allocations.PerCall(() => Complete(_dispatcher.SendAsync(query)));

    private static void Complete(ValueTask<int> task)
    {
        if (!task.IsCompletedSuccessfully)
            throw new InvalidOperationException("The call did not complete at once.");
    }

    private sealed class Answer : RequestPipeline<UnitPiped, int>
    {
        public override ValueTask<int> Invoke(UnitPiped request, object? state, CancellationToken ct) => new(request.Id);
    }
}

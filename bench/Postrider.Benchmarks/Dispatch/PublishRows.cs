using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812 // found by reflection

internal sealed class Publish2 : OurRow
{
    public override string Row => "notification, 2 handlers, IDispatcher";

    public override int HitsPerOperation => 2;

    public override double? TargetBytes => 24;

    public override RowLimit? Limit => new(LimitRow.InterfaceCall, 1);

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        for (var i = 0; i < operations; i++)
            Done(dispatcher.PublishAsync(new Note2(i)));
    }
}

internal sealed class Publish3 : OurRow
{
    public override string Row => "notification, 3 handlers, IDispatcher";

    public override bool HasCold => true;

    public override int HitsPerOperation => 3;

    public override double? TargetBytes => 24;

    public override RowLimit? Limit => new(LimitRow.InterfaceCall, 1);

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        for (var i = 0; i < operations; i++)
            Done(dispatcher.PublishAsync(new Note3(i)));
    }
}

internal sealed class CommandsStarted10 : OurRow
{
    public override string Row => "10 commands started together";

    public override int HitsPerOperation => 10;

    public override void Run(int operations) => Together.RunCommands(Dispatcher, 10, operations);
}

internal sealed class CommandsStarted100 : OurRow
{
    public override string Row => "100 commands started together";

    public override int HitsPerOperation => 100;

    public override void Run(int operations) => Together.RunCommands(Dispatcher, 100, operations);
}

internal sealed class Started10 : OurRow
{
    public override string Row => "10 queries started together";

    public override int HitsPerOperation => 10;

    public override void Run(int operations) => Together.Run(Dispatcher, 10, operations);
}

internal sealed class Started100 : OurRow
{
    public override string Row => "100 queries started together";

    public override int HitsPerOperation => 100;

    public override void Run(int operations) => Together.Run(Dispatcher, 100, operations);
}

internal static class Together
{
    internal static void RunCommands(IDispatcher dispatcher, int count, int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            var tasks = new ValueTask[count];
            for (var k = 0; k < count; k++)
                tasks[k] = dispatcher.SendAsync(new Command(k));
            foreach (var task in tasks)
            {
                if (!task.IsCompletedSuccessfully)
                    throw new InvalidOperationException("A command did not complete at once.");
            }
        }
    }

    internal static void Run(IDispatcher dispatcher, int count, int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            var tasks = new ValueTask<int>[count];
            for (var k = 0; k < count; k++)
                tasks[k] = dispatcher.SendAsync(new Query(k));
            foreach (var task in tasks)
            {
                if (!task.IsCompletedSuccessfully)
                    throw new InvalidOperationException("A query did not complete at once.");
            }
        }
    }
}

internal sealed class Suspended : OurRow
{
    public override string Row => "query, handler suspends, IDispatcher";

    public override bool UsesThreads => true;

    public override void Run(int operations) => RunAsync(Dispatcher, operations).GetAwaiter().GetResult();

    private static async Task RunAsync(IDispatcher dispatcher, int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += await dispatcher.SendAsync(new Suspending(i)).ConfigureAwait(false);
    }
}

internal sealed class SuspendedBare : OurRow
{
    private readonly SuspendingHandler _handler = new();

    public override string Row => "query, handler suspends, IDispatcher";

    public override string Subject => "bare";

    public override bool UsesThreads => true;

    public override void Run(int operations) => RunAsync(_handler, operations).GetAwaiter().GetResult();

    private static async Task RunAsync(SuspendingHandler handler, int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += await handler.Handle(new Suspending(i), default).ConfigureAwait(false);
    }
}

internal sealed class TwoThreads : OurRow
{
    public override string Row => "query, callers on 2 threads, IDispatcher";

    public override bool UsesThreads => true;

    public override void Run(int operations)
    {
        var half = operations / 2;
        var other = Task.Run(() => Loop(Dispatcher, operations - half));
        Loop(Dispatcher, half);
        other.Wait();
    }

    private static void Loop(IDispatcher dispatcher, int operations)
    {
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new Query(i)));
        Sink = sum;
    }
}

internal sealed class Stream1000 : OurRow
{
    public override string Row => "stream of 1,000 ints";

    public override double? MostShareOverBare => 0.01;

    public override bool AllocatesAsBare => true;

    public override void Run(int operations) => RunAsync(Dispatcher, operations).GetAwaiter().GetResult();

    private static async Task RunAsync(IDispatcher dispatcher, int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            await foreach (var item in dispatcher.StreamAsync(new Numbers(1000)).ConfigureAwait(false))
                Sink += item;
        }
    }
}

internal sealed class Stream1000Bare : OurRow
{
    public override string Row => "stream of 1,000 ints";

    public override string Subject => "bare";

    public override void Run(int operations) => RunAsync(operations).GetAwaiter().GetResult();

    private static async Task RunAsync(int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            var request = new Numbers(1000);
            await foreach (var item in NumbersHandler.Sequence(request.Count, default).ConfigureAwait(false))
                Sink += item;
        }
    }
}

using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Generated;

namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812 // found by reflection

internal abstract class OurRow : BenchRow
{
    protected ServiceProvider Provider { get; private set; } = null!;

    protected AppDispatcher Concrete { get; private set; } = null!;

    protected IDispatcher Dispatcher { get; private set; } = null!;

    public override void Setup()
    {
        Provider = new ServiceCollection().AddSingleton<Dependency>().AddPostrider().BuildServiceProvider();
        Concrete = Provider.GetRequiredService<AppDispatcher>();
        Dispatcher = Provider.GetRequiredService<IDispatcher>();
    }

    protected static int Value(ValueTask<int> task)
    {
        if (!task.IsCompletedSuccessfully)
            NotComplete();
        return task.Result;
    }

    protected static void Done(ValueTask task)
    {
        if (!task.IsCompletedSuccessfully)
            NotComplete();
    }
}

internal sealed class QueryConcrete : OurRow
{
    public override string Row => "query, concrete dispatcher";

    public override double? MostNanosecondsOverBare => 1;

    public override bool HasCold => true;

    public override double? TargetBytes => 0;

    public override void Run(int operations)
    {
        var dispatcher = Concrete;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += One(dispatcher, i);
        Sink += sum;
    }

    // A method of its own, as a caller is: what is made inside a loop never lives on the stack.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int One(AppDispatcher dispatcher, int id) => Value(dispatcher.SendAsync(new Query(id)));
}

internal sealed class QueryConcreteBare : OurRow
{
    private readonly QueryHandler _handler = new();

    public override string Row => "query, concrete dispatcher";

    public override string Subject => "bare";

    public override void Run(int operations)
    {
        var handler = _handler;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += One(handler, i);
        Sink += sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int One(QueryHandler handler, int id) => Value(handler.Handle(new Query(id), default));
}

internal sealed class QueryInterface : OurRow
{
    public override string Row => "query, IDispatcher";

    public override bool HasCold => true;

    public override RowLimit? Limit => new(LimitRow.InterfaceCall, 1);

    public override double? TargetBytes => 24;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new Query(i)));
        Sink += sum;
    }
}

internal sealed class QueryOpaque : OurRow
{
    public override string Row => "query, opaque type";

    public override RowLimit? Limit => new(LimitRow.InterfaceCall, 1);

    public override double? TargetBytes => 24;

    public override void Run(int operations)
    {
        var dispatcher = Concrete;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(((IRequest<int>)Make(i)).DispatchTo(dispatcher, default));
        Sink += sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Query Make(int id) => new(id);
}

internal sealed class QueryOpaqueThroughInterface : OurRow
{
    public override string Row => "query, opaque type, IDispatcher";

    public override double? TargetBytes => 24;

    public override RowLimit? Limit => new(LimitRow.InterfaceCall, 1.5);

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(Make(i)));
        Sink += sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IRequest<int> Make(int id) => new Query(id);
}

internal sealed class QueryOpaqueNotPartial : OurRow
{
    public override string Row => "query, opaque type, message not partial";

    public override void Run(int operations)
    {
        var dispatcher = Concrete;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(Make(i)));
        Sink += sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IRequest<int> Make(int id) => new PlainQuery(id);
}

internal sealed class QueryObject : OurRow
{
    public override string Row => "query, SendAsync(object)";

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        for (var i = 0; i < operations; i++)
        {
            if (!dispatcher.SendAsync((object)new Query(i)).IsCompletedSuccessfully)
                NotComplete();
        }
    }
}

internal sealed class CommandConcrete : OurRow
{
    public override string Row => "command, concrete dispatcher";

    public override double? MostNanosecondsOverBare => 1;

    public override bool HasCold => true;

    public override double? TargetBytes => 0;

    public override void Run(int operations)
    {
        var dispatcher = Concrete;
        for (var i = 0; i < operations; i++)
            One(dispatcher, i);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void One(AppDispatcher dispatcher, int id) => Done(dispatcher.SendAsync(new Command(id)));
}

internal sealed class CommandConcreteBare : OurRow
{
    private readonly CommandHandler _handler = new();

    public override string Row => "command, concrete dispatcher";

    public override string Subject => "bare";

    public override void Run(int operations)
    {
        var handler = _handler;
        for (var i = 0; i < operations; i++)
            One(handler, i);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void One(CommandHandler handler, int id) => Done(handler.Handle(new Command(id), default));
}

internal sealed class CommandInterface : OurRow
{
    public override string Row => "command, IDispatcher";

    public override bool HasCold => true;

    public override RowLimit? Limit => new(LimitRow.InterfaceCall, 1);

    public override double? TargetBytes => 24;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        for (var i = 0; i < operations; i++)
            Done(dispatcher.SendAsync(new Command(i)));
    }
}

internal sealed class MiddlewareInterface : OurRow
{
    public override string Row => "query, 3 async middleware, IDispatcher";

    public override bool HasCold => true;

    public override int HitsPerOperation => 4;

    public override RowLimit? Limit => new(LimitRow.ThreeFrames, 1.5);

    public override double? TargetBytes => 24;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new Piped(i)));
        Sink += sum;
    }
}

internal sealed class HooksInterface : OurRow
{
    public override string Row => "query, 3 hooks, IDispatcher";

    public override bool HasCold => true;

    public override int HitsPerOperation => 4;

    public override RowLimit? Limit => new(LimitRow.InterfaceCall, 1);

    public override double? TargetBytes => 24;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new Hooked(i)));
        Sink += sum;
    }
}

namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812 // found by reflection

internal abstract class LimitRow : BenchRow
{
    public const string InterfaceCall = "limit: interface call, three classes";
    public const string ThreeFrames = "limit: three async frames, one in the other";

    public override string Subject => "bare";

    protected static ILimit[] Handlers { get; } = [new FirstLimit(), new OtherLimit(), new ThirdLimit()];

    /// <summary>The shape of a handler, but none: the rows measure calls, not dispatch.</summary>
    protected interface ILimit
    {
        ValueTask<int> Handle(Query request, CancellationToken ct);
    }

    private sealed class FirstLimit : ILimit
    {
        public ValueTask<int> Handle(Query request, CancellationToken ct)
        {
            Proof.Hit();
            return new(request.Id);
        }
    }

    private sealed class OtherLimit : ILimit
    {
        public ValueTask<int> Handle(Query request, CancellationToken ct)
        {
            Proof.Hit();
            return new(request.Id + 1);
        }
    }

    private sealed class ThirdLimit : ILimit
    {
        public ValueTask<int> Handle(Query request, CancellationToken ct)
        {
            Proof.Hit();
            return new(request.Id + 2);
        }
    }
}

internal sealed class LimitInterface : LimitRow
{
    public override string Row => InterfaceCall;

    public override void Run(int operations)
    {
        var handlers = Handlers;
        var at = 0;
        for (var i = 0; i < operations; i++)
        {
            Sink += handlers[at].Handle(new Query(i), default).Result;
            at = at == 2 ? 0 : at + 1;
        }
    }
}

internal sealed class LimitDirect : LimitRow
{
    private readonly QueryHandler _handler = new();

    public override string Row => "limit: direct call";

    public override void Run(int operations)
    {
        var handler = _handler;
        for (var i = 0; i < operations; i++)
            Sink += handler.Handle(new Query(i), default).Result;
    }
}

internal sealed class LimitVirtual : LimitRow
{
    private readonly VirtualLimit[] _handlers = [new VirtualLimit(), new OtherVirtual(), new ThirdVirtual()];

    public override string Row => "limit: virtual call, three classes";

    public override void Run(int operations)
    {
        var handlers = _handlers;
        var at = 0;
        for (var i = 0; i < operations; i++)
        {
            Sink += handlers[at].Handle(new Query(i)).Result;
            at = at == 2 ? 0 : at + 1;
        }
    }

    private class VirtualLimit
    {
        public virtual ValueTask<int> Handle(Query request)
        {
            Proof.Hit();
            return new(request.Id);
        }
    }

    private sealed class OtherVirtual : VirtualLimit
    {
        public override ValueTask<int> Handle(Query request)
        {
            Proof.Hit();
            return new(request.Id + 1);
        }
    }

    private sealed class ThirdVirtual : VirtualLimit
    {
        public override ValueTask<int> Handle(Query request)
        {
            Proof.Hit();
            return new(request.Id + 2);
        }
    }
}

internal sealed class LimitThreeFrames : LimitRow
{
    public override string Row => ThreeFrames;

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += Outer(new Query(i)).Result;
    }

    private static async ValueTask<int> Outer(Query query) => await Middle(query).ConfigureAwait(false);

    private static async ValueTask<int> Middle(Query query) => await Inner(query).ConfigureAwait(false);

    private static async ValueTask<int> Inner(Query query) => await Handlers[0].Handle(query, default).ConfigureAwait(false);
}

internal sealed class LimitDelegate : LimitRow
{
    private readonly Func<Query, CancellationToken, ValueTask<int>> _call = new QueryHandler().Handle;

    public override string Row => "limit: delegate call";

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += _call(new Query(i), default).Result;
    }
}

internal sealed class LimitFrame : LimitRow
{
    public override string Row => "limit: one async frame";

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += Frame(new Query(i)).Result;
    }

    private static async ValueTask<int> Frame(Query query) => await Handlers[0].Handle(query, default).ConfigureAwait(false);
}

internal sealed class LimitAllocation : LimitRow
{
    private static Query? s_last;

    public override string Row => "limit: the message on the heap";

    public override int HitsPerOperation => 0;

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
            s_last = new Query(i);
        Sink += s_last!.Id;
    }
}

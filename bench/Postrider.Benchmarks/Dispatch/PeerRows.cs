namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812 // found by reflection

internal abstract class PeerRow<TPeer> : BenchRow
    where TPeer : struct, IPeer
{
    // Not read-only: a copy would be made for every call.
    private TPeer _peer;

    public override string Subject => TPeer.Name;

    public override bool IsPossible => !TPeer.Missing.Contains(Row);

    public override string? Program => TPeer.Program;

    protected ref TPeer Peer => ref _peer;

    public override void Setup() => _peer.Setup(Row);

    // Some peers answer through other threads by design: what has to complete at once elsewhere is waited for here.
    protected static int Value(ValueTask<int> task) => task.IsCompletedSuccessfully ? task.Result : task.AsTask().GetAwaiter().GetResult();

    protected static void Done(ValueTask task)
    {
        if (!task.IsCompletedSuccessfully)
            task.AsTask().GetAwaiter().GetResult();
    }
}

internal sealed class PeerCommand<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "command, IDispatcher";

    public override bool HasCold => true;

    public override void Run(int operations)
    {
        ref var peer = ref Peer;
        for (var i = 0; i < operations; i++)
            Done(peer.Command(i));
    }
}

internal sealed class PeerQuery<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "query, IDispatcher";

    public override bool HasCold => true;

    public override void Run(int operations)
    {
        ref var peer = ref Peer;
        for (var i = 0; i < operations; i++)
            Sink += Value(peer.Query(i));
    }
}

internal sealed class PeerPiped<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "query, 3 async middleware, IDispatcher";

    public override int HitsPerOperation => 4;

    public override bool HasCold => true;

    public override void Run(int operations)
    {
        ref var peer = ref Peer;
        for (var i = 0; i < operations; i++)
            Sink += Value(peer.Piped(i));
    }
}

internal sealed class PeerNote2<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "notification, 2 handlers, IDispatcher";

    public override int HitsPerOperation => 2;

    public override void Run(int operations)
    {
        ref var peer = ref Peer;
        for (var i = 0; i < operations; i++)
            Done(peer.Note2(i));
    }
}

internal sealed class PeerNote3<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "notification, 3 handlers, IDispatcher";

    public override int HitsPerOperation => 3;

    public override bool HasCold => true;

    public override void Run(int operations)
    {
        ref var peer = ref Peer;
        for (var i = 0; i < operations; i++)
            Done(peer.Note3(i));
    }
}

internal sealed class PeerInScope<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "query, scoped handler, scope made";

    public override void Run(int operations)
    {
        ref var peer = ref Peer;
        for (var i = 0; i < operations; i++)
            Sink += Value(peer.InScope(i));
    }
}

internal sealed class PeerStarted10<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "10 queries started together";

    public override int HitsPerOperation => 10;

    public override void Run(int operations) => PeerTogether.Run(ref Peer, 10, operations);
}

internal sealed class PeerStarted100<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "100 queries started together";

    public override int HitsPerOperation => 100;

    public override void Run(int operations) => PeerTogether.Run(ref Peer, 100, operations);
}

internal sealed class PeerCommandsStarted10<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "10 commands started together";

    public override int HitsPerOperation => 10;

    public override void Run(int operations) => PeerTogether.RunCommands(ref Peer, 10, operations);
}

internal sealed class PeerCommandsStarted100<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "100 commands started together";

    public override int HitsPerOperation => 100;

    public override void Run(int operations) => PeerTogether.RunCommands(ref Peer, 100, operations);
}

internal static class PeerTogether
{
    internal static void RunCommands<TPeer>(ref TPeer peer, int count, int operations)
        where TPeer : struct, IPeer
    {
        for (var i = 0; i < operations; i++)
        {
            var tasks = new ValueTask[count];
            for (var k = 0; k < count; k++)
                tasks[k] = peer.Command(k);
            foreach (var task in tasks)
            {
                if (!task.IsCompletedSuccessfully)
                    task.AsTask().GetAwaiter().GetResult();
            }
        }
    }

    internal static void Run<TPeer>(ref TPeer peer, int count, int operations)
        where TPeer : struct, IPeer
    {
        for (var i = 0; i < operations; i++)
        {
            var tasks = new ValueTask<int>[count];
            for (var k = 0; k < count; k++)
                tasks[k] = peer.Query(k);
            foreach (var task in tasks)
            {
                if (!task.IsCompletedSuccessfully)
                    task.AsTask().GetAwaiter().GetResult();
            }
        }
    }
}

internal sealed class PeerSuspending<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "query, handler suspends, IDispatcher";

    public override bool UsesThreads => true;

    public override void Run(int operations) => RunAsync(Peer, operations).GetAwaiter().GetResult();

    private static async Task RunAsync(TPeer peer, int operations)
    {
        for (var i = 0; i < operations; i++)
            Sink += await peer.Suspending(i).ConfigureAwait(false);
    }
}

internal sealed class PeerTwoThreads<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "query, callers on 2 threads, IDispatcher";

    public override bool UsesThreads => true;

    public override void Run(int operations)
    {
        var half = operations / 2;
        var other = Task.Run(() => Loop(Peer, operations - half));
        Loop(Peer, half);
        other.Wait();
    }

    private static void Loop(TPeer peer, int operations)
    {
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(peer.Query(i));
        Sink = sum;
    }
}

internal sealed class PeerStream<TPeer> : PeerRow<TPeer>
    where TPeer : struct, IPeer
{
    public override string Row => "stream of 1,000 ints";

    public override void Run(int operations) => RunAsync(Peer, operations).GetAwaiter().GetResult();

    private static async Task RunAsync(TPeer peer, int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            await foreach (var item in peer.Numbers(1000).ConfigureAwait(false))
                Sink += item;
        }
    }
}

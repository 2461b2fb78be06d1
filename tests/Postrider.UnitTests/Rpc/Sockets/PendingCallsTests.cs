using System.Buffers;
using Postrider.Rpc;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;

namespace Postrider.UnitTests.Rpc.Sockets;

public sealed class PendingCallsTests
{
    [Fact]
    public void Call_is_found_until_it_is_taken_once()
    {
        var table = new PendingCalls(10);
        var call = new Call();

        var id = table.Add(call);

        Assert.Same(call, table.Find(id));
        Assert.Same(call, table.Remove(id));
        Assert.Null(table.Remove(id));
        Assert.Null(table.Find(id));
        Assert.Equal(0, table.Count);
    }

    [Fact]
    public void Late_answer_does_not_find_the_call_that_has_the_place_now()
    {
        var table = new PendingCalls(1);
        var first = table.Add(new Call());
        table.Remove(first);

        var second = table.Add(new Call());

        Assert.NotEqual(first, second);
        Assert.Null(table.Remove(first));
        Assert.NotNull(table.Remove(second));
    }

    [Fact]
    public void Number_of_a_place_comes_again_only_after_65536_uses_and_is_never_0()
    {
        var table = new PendingCalls(1);
        var seen = new HashSet<uint>();

        for (var i = 0; i <= ushort.MaxValue; i++)
        {
            var id = table.Add(new Call());
            Assert.True(id != 0 && seen.Add(id));
            table.Remove(id);
        }

        Assert.Contains(table.Add(new Call()), seen);
    }

    [Fact]
    public void Call_is_taken_only_by_who_it_is()
    {
        var table = new PendingCalls(10);
        var (call, other) = (new Call(), new Call());
        var id = table.Add(call);

        Assert.Null(table.Remove(id, other));
        Assert.Same(call, table.Remove(id, call));
    }

    [Fact]
    public void More_calls_than_the_limit_are_refused()
    {
        var table = new PendingCalls(100);
        var ids = Enumerable.Range(0, 100).Select(_ => table.Add(new Call())).ToList();

        var refusal = Assert.Throws<RpcException>(() => table.Add(new Call()));

        Assert.Equal(RpcStatus.Busy, refusal.Status);
        Assert.Equal(100, ids.Distinct().Count());
        table.Remove(ids[50]);
        Assert.Equal(ids[50] & 0xFFFF, table.Add(new Call()) & 0xFFFF);
    }

    [Fact]
    public void Closing_gives_every_call_and_takes_no_more()
    {
        var table = new PendingCalls(10);
        var calls = new[] { new Call(), new Call() };
        var ids = calls.Select(call => table.Add(call)).ToList();

        var given = table.Close(new RpcException(RpcStatus.Unavailable, "gone"));

        Assert.Equal(calls, given);
        Assert.Null(table.Remove(ids[0]));
        Assert.Equal(RpcStatus.Unavailable, Assert.Throws<RpcException>(() => table.Add(new Call())).Status);
    }

    private sealed class Call : IPendingCall
    {
        public IThreadPoolWorkItem? Receive(RpcFrameKind kind, FrameFlags flags, in ReadOnlySequence<byte> body) => null;

        public void Fail(RpcException reason)
        {
        }
    }
}

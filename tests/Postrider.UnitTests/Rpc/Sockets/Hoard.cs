using System.Runtime.CompilerServices;
using Postrider.Rpc;

namespace Postrider.UnitTests.Rpc.Sockets;

internal sealed class Hoard : IHoard
{
    private readonly TaskCompletionSource _release = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _registered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _poured;

    /// <summary>Completes when a call has registered its callback.</summary>
    public Task Registered => _registered.Task;

    /// <summary>How many items streams have given.</summary>
    public int Poured => Volatile.Read(ref _poured);

    public void Release() => _release.TrySetResult();

    public async ValueTask<int> HoldAsync(byte[] bytes, CancellationToken ct = default)
    {
        await _release.Task.WaitAsync(ct);
        return bytes.Length;
    }

    public async ValueTask<int> HoldAllAsync(IAsyncEnumerable<byte[]> items, CancellationToken ct = default)
    {
        await _release.Task.WaitAsync(ct);
        var sum = 0;
        await foreach (var item in items.WithCancellation(ct))
            sum += item.Length;
        return sum;
    }

    public async IAsyncEnumerable<byte[]> PourAsync(int bytes, [EnumeratorCancellation] CancellationToken ct = default)
    {
        while (true)
        {
            Interlocked.Increment(ref _poured);
            yield return new byte[bytes];
            await Task.Yield();
        }
    }

    public ValueTask<int> FailAsync(string how, CallContext context, CancellationToken ct = default)
    {
        switch (how)
        {
            case "unwritable":
                throw new RpcFaultException<HoardFault>(new("lost"));
            case "large":
                throw new RpcFaultException<string>(new string('x', 200_000));
            case "headers":
                for (var i = 0; i < 300; i++)
                    context.ResponseHeaders[$"h{i}"] = "v";
                return new(1);
            case "callback":
                ct.Register(() => throw new InvalidOperationException("A callback."));
                _registered.SetResult();
                return new(_release.Task.ContinueWith(_ => 1, TaskScheduler.Default));
            default:
                return new(how.Length);
        }
    }
}

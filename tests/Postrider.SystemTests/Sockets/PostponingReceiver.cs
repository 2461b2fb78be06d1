using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>Takes so many bytes a call and leaves the rest for its next turn.</summary>
internal sealed class PostponingReceiver(int bytesPerCall) : IReceiver
{
    private readonly TaskCompletionSource<CloseReason> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _bytes;
    private long _calls;
    private int _longest;

    public Task<CloseReason> Closed => _closed.Task;

    public long Bytes => Volatile.Read(ref _bytes);

    public long Calls => Volatile.Read(ref _calls);

    /// <summary>The most bytes that one call was offered.</summary>
    public int Longest => Volatile.Read(ref _longest);

    public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        var taken = Math.Min(bytesPerCall, input.Length);
        Volatile.Write(ref _longest, Math.Max(_longest, input.Length));
        Volatile.Write(ref _bytes, _bytes + taken);
        Volatile.Write(ref _calls, _calls + 1);
        if (taken < input.Length) batch.RequestYield();
        return taken;
    }

    void IReceiver.Closed(CloseReason reason, Exception? error) => _closed.TrySetResult(reason);
}

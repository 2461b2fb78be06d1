using Postrider.Storage;
using Postrider.Storage.Faults;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Rewrites the blocks of a stream that lost most of their messages, on the thread pool; the lock is not held while it waits for the disk.</summary>
/// <remarks>Thread-safe. Order of locks: <c>_running</c>, then the stream's.</remarks>
internal sealed class StreamCompaction(MessageStream stream, FileStore store) : IThreadPoolWorkItem
{
    private readonly Lock _running = new();

    /// <summary>Has blocks rewritten here from now on: until a stream is opened, its store is used without the lock. The lock is held.</summary>
    public void Begin() => store.Compactor.RewriteDue = () => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);

    /// <summary>Waits for the end of a running rewrite. The stream is closed and its lock is not held: no other rewrite begins.</summary>
    public void WaitForEnd()
    {
        lock (_running)
        {
        }
    }

    /// <inheritdoc/>
    public void Execute()
    {
        try
        {
            lock (_running)
            {
                while (BeginRewrite() is { } rewrite) Run(rewrite);
            }
        }
        catch (Exception error)
        {
            // An exception on this thread would end the process.
            stream.Fail(error);
        }
    }

    private BlockRewrite? BeginRewrite()
    {
        using (stream.Gate.Hold())
        {
            if (stream.IsClosed) return null;
            _ = stream.Commit();
            return store.Compactor.BeginRewrite();
        }
    }

    private void Run(BlockRewrite rewrite)
    {
        var isCopied = TryCopy(rewrite);
        if (isCopied)
        {
            using (stream.Gate.Hold()) isCopied = IsCommitted() && rewrite.TryRepeatRemovals();
        }
        isCopied = isCopied && store.SyncConcurrently();
        using (stream.Gate.Hold())
        {
            if (isCopied && IsCommitted()) store.TryWrite("replace a block", rewrite.Finish);
            else rewrite.Abandon();
        }
    }

    private bool IsCommitted() => !stream.IsClosed && !stream.Commit().Failed;

    // Without room for a copy on the disk or in memory, or without its file, the block remains as it is: it is complete.
    private static bool TryCopy(BlockRewrite rewrite)
    {
        try
        {
            return rewrite.TryCopy();
        }
        catch (Exception error) when (error is OutOfMemoryException || DiskErrors.IsDiskError(error))
        {
            return false;
        }
    }
}

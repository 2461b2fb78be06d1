using Postrider.Storage.Consumers;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Flushes the file that replaces a consumer's log, on another thread and without the stream's lock.</summary>
internal sealed class JournalCompaction(Consumer consumer, ConsumerJournal log)
{
    /// <summary>Starts the compaction; see <see cref="ConsumerJournal.CompactionDue"/>.</summary>
    public void Start(IStoreFile file)
    {
        consumer.Owner.OnWorkScheduled();
        ThreadPool.UnsafeQueueUserWorkItem(static work => work.Compaction.Run(work.File), (Compaction: this, File: file), preferLocal: false);
    }

    private void Run(IStoreFile file)
    {
        try
        {
            file.Sync();
            using (consumer.Stream.Gate.Hold())
            {
                if (!consumer.IsClosed) log.Finish(file);
            }
        }
        catch (Exception error) when (DiskErrors.IsDiskError(error) || error is ObjectDisposedException)
        {
            // The file is closed if the consumer has ended. A disk error is reported by the next step as well.
            using (consumer.Stream.Gate.Hold())
            {
                if (!consumer.IsClosed) log.Abandon(file);
            }
        }
        finally
        {
            consumer.Owner.OnWorkCompleted();
        }
    }
}

using Postrider.Broker.JetStream.Logging;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Writes a consumer's state to the disk. Disk errors are logged, and the state is kept in memory.</summary>
/// <remarks>The stream's lock is held.</remarks>
internal sealed class ConsumerJournalWriter(Consumer owner, ConsumerJournal log) : IDisposable
{
    /// <summary>Whether there are unwritten steps.</summary>
    public bool HasSteps => log.HasSteps;

    /// <summary>Writes the steps since the last write; after a disk error it is tried again after
    /// <see cref="ConsumerTimer.RetryDelay"/>.</summary>
    public void Write()
    {
        try
        {
            log.Commit();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            owner.FlushAt = owner.Now + ConsumerTimer.RetryDelay;
            NotWritten(error);
        }
    }

    /// <summary>Writes the whole state to a second file, which is used when the first one is damaged.</summary>
    public void WriteCopy()
    {
        try
        {
            log.WriteCopy();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The previous copy remains: it is older, but valid.
            NotWritten(error);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => log.Dispose();

    private void NotWritten(Exception error)
        => ConsumerLog.NotWritten(owner.Stream.Services.Logger, owner.Stream.Services.AccountName, owner.Stream.Name, owner.Name, error.Message);
}

using Postrider.Broker.JetStream.Logging;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Writes a consumer's state to the disk. What the disk refuses goes to the log, and the state goes on in memory.</summary>
/// <remarks>The stream's lock is held.</remarks>
internal sealed class ConsumerJournalWriter(Consumer owner, ConsumerJournal log) : IDisposable
{
    /// <summary>Whether something is not written yet.</summary>
    public bool HasSteps => log.HasSteps;

    /// <summary>Writes the steps since the last time; when the disk refuses, it is tried again after
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

    /// <summary>Writes the whole state to a second file, which serves when the first one is damaged.</summary>
    public void WriteCopy()
    {
        try
        {
            log.WriteCopy();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The copy of before stands for less, and is as right.
            NotWritten(error);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => log.Dispose();

    private void NotWritten(Exception error)
        => ConsumerLog.NotWritten(owner.Stream.Services.Logger, owner.Stream.Services.AccountName, owner.Stream.Name, owner.Name, error.Message);
}

using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Streams;
using Postrider.Storage.Files;

namespace Postrider.Broker.Hosting;

/// <summary>Locks the folder of the streams and opens it with the configured keys, before anything in it is read.</summary>
internal static class StreamFolder
{
    /// <summary>Locks and opens the folder.</summary>
    /// <param name="engine">An engine that has read nothing yet.</param>
    /// <param name="options">Name the folder's option in errors.</param>
    /// <returns>The lock, which the caller has to dispose.</returns>
    /// <exception cref="BrokerException">Another server uses the folder, it cannot be created or read, or the keys do not match.</exception>
    public static StoreLock Open(JetStreamEngine engine, BrokerOptions options)
    {
        var folder = engine.Root.Path;
        var claim = Acquire(folder, options);
        if (claim.Problem is { } problem) StreamLog.NotWritable(engine.Logger, folder, problem);
        try
        {
            engine.OpenRoot();
            return claim;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            claim.Dispose();
            throw new BrokerException(BrokerError.CannotReadStore, $"JetStream cannot start: {error.Message}", error);
        }
    }

    private static StoreLock Acquire(string folder, BrokerOptions options)
    {
        try
        {
            return StoreLock.Acquire(folder);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new BrokerException(
                BrokerError.CannotReadStore,
                $"Cannot keep streams in {folder}: {error.Message} Choose another folder with {options.NameOf("JetStream.StoreDirectory")}.",
                error);
        }
    }
}

using Postrider.Client;

namespace Postrider.CommandLine.Terminal;

/// <summary>Reports a lost connection and its return, for verbs that run until Ctrl+C.</summary>
internal static class ConnectionNotices
{
    /// <summary>Writes a line to the error stream for each of them. A client that gives up ends with an exception, which the verb reports.</summary>
    internal static void WriteNotices(this NatsClient client) => client.EventOccurred += static happened =>
    {
        var notice = happened.Kind switch
        {
            ClientEventKind.Disconnected => $"Disconnected from {happened.Server}; reconnecting",
            ClientEventKind.Reconnected => $"Reconnected to {happened.Server}",
            _ => null,
        };
        if (notice is not null) Console.Error.WriteLine(notice);
    };
}

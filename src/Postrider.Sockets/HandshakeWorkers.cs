using System.Collections.Concurrent;

namespace Postrider.Sockets;

/// <summary>The threads that compute TLS handshakes for servers: neither the loops, which serve other connections, nor the
/// thread pool, which other work needs.</summary>
internal static class HandshakeWorkers
{
    // Half of the processors are left for traffic when very many clients connect at once. More than eight were never measured.
    private const int MaxThreads = 8;

    private static readonly BlockingCollection<Action> Steps = CreateSteps();

    /// <summary>Runs one step of a handshake after those that were queued before.</summary>
    /// <param name="step">Must not throw.</param>
    public static void Queue(Action step) => Steps.Add(step);

    private static BlockingCollection<Action> CreateSteps()
    {
        var steps = new BlockingCollection<Action>();
        for (var i = 0; i < Math.Clamp(Environment.ProcessorCount / 2, 1, MaxThreads); i++)
            new Thread(() => Run(steps)) { IsBackground = true, Name = $"postrider tls {i}" }.Start();
        return steps;
    }

    private static void Run(BlockingCollection<Action> steps)
    {
        foreach (var step in steps.GetConsumingEnumerable()) step();
    }
}

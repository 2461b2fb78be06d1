using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using Postrider.Load.Hostile;
using Postrider.Load.Traffic;

namespace Postrider.Load.Handshakes;

/// <summary>Runs in a child process: clients that connect with TLS, send CONNECT and PING, and close the connection after the PONG.</summary>
internal static class Handshaker
{
    public const string Verb = "handshake";

    // Each thread waits for the server during a handshake: the number of handshakes in progress.
    private const int Threads = 8;

    /// <summary>Opens connections at a steady rate and prints how many there were.</summary>
    /// <param name="arguments">Port, connections a second, seconds, file of the authority's certificate.</param>
    public static int Run(ReadOnlySpan<string> arguments)
    {
        using (var own = Process.GetCurrentProcess())
        {
            // These clients represent other machines: the server and the measured clients have priority.
            own.PriorityClass = ProcessPriorityClass.Idle;
        }

        var port = int.Parse(arguments[0], CultureInfo.InvariantCulture);
        var perSecond = double.Parse(arguments[1], CultureInfo.InvariantCulture);
        var until = Stopwatch.GetTimestamp() + (long)(double.Parse(arguments[2], CultureInfo.InvariantCulture) * Stopwatch.Frequency);
        using var authority = X509CertificateLoader.LoadCertificateFromFile(arguments[3]);
        var opened = 0;
        var threads = Enumerable.Range(0, Threads).Select(_ => new Thread(() => Open(port, perSecond / Threads, until, authority, ref opened))).ToArray();
        foreach (var thread in threads) thread.Start();
        foreach (var thread in threads) thread.Join();
        Console.WriteLine(opened);
        return 0;
    }

    private static void Open(int port, double perSecond, long until, X509Certificate2 authority, ref int opened)
    {
        var pacer = new Pacer(perSecond);
        while (Stopwatch.GetTimestamp() < until)
        {
            for (var due = pacer.Await(16); due > 0; due--)
            {
                _ = pacer.Stamp();
                TlsSocket.Open(port, authority).Dispose();
                Interlocked.Increment(ref opened);
            }
        }
    }
}

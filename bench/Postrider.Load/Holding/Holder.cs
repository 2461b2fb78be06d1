using System.Runtime.InteropServices;
using Postrider.Load.Native;
using Postrider.Load.Traffic;

namespace Postrider.Load.Holding;

/// <summary>What runs inside a <see cref="HolderProcess"/>.</summary>
internal static unsafe class Holder
{
    public const string Verb = "hold";
    public const string Ready = "ready";
    public const int PayloadBytes = 128;

    private const int ReadBytes = 64 * 1024;

    /// <summary>The subject that connection <paramref name="number"/> listens on.</summary>
    public static string Subject(int number) => $"held.{number:00000}";

    /// <summary>Bytes of one message as delivered to any of the connections.</summary>
    public static int DeliveredBytes => $"MSG {Subject(0)} 1 {PayloadBytes}\r\n".Length + PayloadBytes + 2;

    /// <summary>Opens the connections, says so, then counts until its input ends.</summary>
    /// <param name="arguments">Port, number of the first connection, how many, file of the counter.</param>
    public static int Run(ReadOnlySpan<string> arguments)
    {
        var port = int.Parse(arguments[0]);
        var first = int.Parse(arguments[1]);
        var connections = new Connection[int.Parse(arguments[2])];
        using var counter = new SharedCounter(arguments[3]);
        using var poller = new Poller();
        var counters = new FrameCounter[connections.Length];
        try
        {
            for (var i = 0; i < connections.Length; i++)
            {
                connections[i] = Connection.Open(port);
                connections[i].Subscribe(Subject(first + i), "1");
                connections[i].RoundTrip();
                poller.Watch(connections[i].Descriptor, Posix.Readable, i);
                counters[i] = new FrameCounter(DeliveredBytes, (byte)'M');
            }
        }
        catch (Exception e) when (e is LoadException or System.Net.Sockets.SocketException)
        {
            Console.WriteLine(e.Message);
            return 1;
        }

        Console.WriteLine(Ready);
        using var bell = new Doorbell();
        poller.Watch(bell.Descriptor, Posix.Readable, -1);
        new Thread(() =>
        {
            _ = Console.In.ReadLine();
            bell.Ring();
        })
        { IsBackground = true }.Start();
        Count(poller, connections, counters, counter);
        return 0;
    }

    private static void Count(Poller poller, Connection[] connections, FrameCounter[] counters, SharedCounter counter)
    {
        var buffer = (byte*)NativeMemory.AlignedAlloc(ReadBytes, 64);
        var total = 0L;
        while (true)
        {
            var ready = poller.Wait(1000);
            for (var e = 0; e < ready; e++)
            {
                var i = poller.Token(e);
                if (i < 0)
                {
                    NativeMemory.AlignedFree(buffer);
                    return;
                }

                var count = Posix.Receive(connections[i].Descriptor, buffer, ReadBytes, Posix.DontWait);
                if (count == 0)
                    throw new LoadException($"The server cut off connection {i}.");
                if (count < 0)
                    continue;

                var before = counters[i].FrameBytes;
                counters[i].Accept(new ReadOnlySpan<byte>(buffer, (int)count));
                total += counters[i].FrameBytes - before;
                for (; counters[i].Pings > 0; counters[i].Pings--)
                    connections[i].Pong();
            }

            counter.Value = total;
        }
    }
}

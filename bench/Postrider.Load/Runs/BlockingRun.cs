using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Rows;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>Runs a streaming row of one publisher over TLS or WebSocket: one thread frames and sends, another receives, decodes and counts.</summary>
/// <remarks>The generator does the same arithmetic as the server does; on a machine with few processors it takes part of them.</remarks>
internal static class BlockingRun
{
    // As much as one send of the clients.
    private const int WriteBytes = 64 * 1024;

    /// <summary>Measures the row; every delivered byte is counted.</summary>
    /// <param name="row">A row with one publisher and at most one subscriber.</param>
    /// <param name="server">Its CPU time is read around the run.</param>
    /// <param name="open">Opens a connection to it.</param>
    /// <param name="seconds">How long to send.</param>
    /// <exception cref="LoadException">Less or more arrives than was sent.</exception>
    public static StreamResult Measure(StreamRow row, ServerProcess server, Func<BlockingSocket> open, double seconds)
    {
        var deliveredBytes = FrameRenderer.Delivered(row, 0, 0, "1").Length;
        using var block = FrameRenderer.Block(row, 0);
        using var publisher = open();
        using var subscriber = row.Copies > 0 ? open() : null;
        using var team = new Team();
        using var moved = new AutoResetEvent(false);
        long received = 0, published = 0, due = long.MaxValue;
        if (subscriber is not null)
        {
            subscriber.Write(System.Text.Encoding.ASCII.GetBytes($"SUB {row.Subscription(0)} 1\r\n"));
            subscriber.RoundTrip();
            team.Start("subscriber", _ => Receive());
        }

        var serverCpu = server.CpuNanoseconds;
        var loadCpu = ProcessClock.OwnCpuNanoseconds();
        var started = Stopwatch.GetTimestamp();
        var deadline = started + (long)(seconds * Stopwatch.Frequency);
        while (Stopwatch.GetTimestamp() < deadline && !team.Failed)
        {
            if (subscriber is not null && (published * deliveredBytes) - Volatile.Read(ref received) > StreamRow.DefaultWindowBytes)
            {
                moved.WaitOne(1);
                continue;
            }

            Send();
        }

        publisher.RoundTrip();
        Volatile.Write(ref due, published * deliveredBytes);
        if (subscriber is not null)
        {
            AwaitRest();
            subscriber.Abort();
            team.Join();
        }

        var elapsed = Stopwatch.GetElapsedTime(started).TotalSeconds;
        return new StreamResult(published, elapsed, server.CpuNanoseconds - serverCpu, ProcessClock.OwnCpuNanoseconds() - loadCpu);

        void Send()
        {
            for (var rest = block.Bytes; rest.Length > 0;)
            {
                var part = rest[..Math.Min(WriteBytes, rest.Length)];
                publisher.Write(part);
                rest = rest[part.Length..];
            }

            published += block.Frames;
        }

        void Receive()
        {
            var counter = new FrameCounter(deliveredBytes, (byte)'M');
            var buffer = new byte[WriteBytes];
            while (Volatile.Read(ref received) < Volatile.Read(ref due))
            {
                if (!TryRead(buffer, out var count)) return;
                counter.Accept(buffer.AsSpan(0, count));
                Volatile.Write(ref received, counter.FrameBytes);
                moved.Set();
            }
        }

        // When everything has arrived the socket is aborted under the reader, which may wait for more.
        bool TryRead(byte[] buffer, out int count)
        {
            count = 0;
            try
            {
                count = subscriber!.Read(buffer);
                return true;
            }
            catch (IOException) when (Volatile.Read(ref received) >= Volatile.Read(ref due))
            {
                return false;
            }
        }

        void AwaitRest()
        {
            var last = -1L;
            var progress = Stopwatch.GetTimestamp();
            while (Volatile.Read(ref received) is var now && now < due && !team.Failed)
            {
                if (now > last) (last, progress) = (now, Stopwatch.GetTimestamp());
                else if (Stopwatch.GetElapsedTime(progress) > TimeSpan.FromSeconds(10))
                    throw new LoadException($"{now / deliveredBytes} of {published} messages arrived.");
                moved.WaitOne(1);
            }
        }
    }
}

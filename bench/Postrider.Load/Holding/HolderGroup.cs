using System.Diagnostics;
using System.Text;
using Postrider.Load.Native;
using Postrider.Load.Runs;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Holding;

/// <summary>Many subscribed connections to one server, in as many processes as they need, and the load that reaches each in turn.</summary>
internal sealed class HolderGroup : IDisposable, IFlowWindow
{
    // Below the soft limit of 8192 that many machines allow at most without root.
    private const int ConnectionsPerProcess = 5000;

    private readonly ServerProcess _server;
    private readonly int _connections;
    private readonly List<HolderProcess> _holders = [];
    private long _published;
    private long _sentBefore;

    public HolderGroup(ServerProcess server, int connections)
    {
        _server = server;
        _connections = connections;
        try
        {
            for (var first = 0; first < connections; first += ConnectionsPerProcess)
                _holders.Add(HolderProcess.Start(server, first, Math.Min(ConnectionsPerProcess, connections - first)));
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public long Published => _published - _sentBefore;

    public int PollMilliseconds => 1;

    private long ReceivedBytes => _holders.Sum(holder => holder.ReceivedBytes);

    private long HolderCpuNanoseconds => _holders.Sum(holder => holder.CpuNanoseconds);

    /// <summary>One publisher sends 128 B to each connection in turn; all of it must arrive.</summary>
    public StreamResult Measure(double seconds)
    {
        using var bell = new Doorbell();
        using var sockets = new SocketSet(_server.Port);
        using var publishing = new PublishLoop(sockets.Open(1), [Block()], this, bell);
        _sentBefore = _published;

        var serverCpu = _server.CpuNanoseconds;
        var loadCpu = ProcessClock.OwnCpuNanoseconds() + HolderCpuNanoseconds;
        var started = Stopwatch.GetTimestamp();
        publishing.Run(started + (long)(seconds * Stopwatch.Frequency), 0, CancellationToken.None);
        var finished = AwaitAll(publishing.Finished);
        serverCpu = _server.CpuNanoseconds - serverCpu;
        loadCpu = ProcessClock.OwnCpuNanoseconds() + HolderCpuNanoseconds - loadCpu;
        return new StreamResult(Published, Stopwatch.GetElapsedTime(started, finished).TotalSeconds, serverCpu, loadCpu);
    }

    public void Sent(int publisher, int frames) => _published += frames;

    public bool HasRoom(int publisher)
        => (_published * Holder.DeliveredBytes) - ReceivedBytes < Rows.StreamRow.DefaultWindowBytes;

    public void Wait() { }

    public void StopWaiting() { }

    public void Dispose() => _holders.ForEach(holder => holder.Dispose());

    private FrameBlock Block()
    {
        var rounds = Math.Max(1, 1000 / _connections);
        var payload = FrameRenderer.Payload(Holder.PayloadBytes, 0, 0);
        var text = new StringBuilder();
        for (var i = 0; i < rounds * _connections; i++)
            text.Append($"PUB {Holder.Subject(i % _connections)} {Holder.PayloadBytes}\r\n{payload}\r\n");
        return new FrameBlock(Encoding.ASCII.GetBytes(text.ToString()), rounds * _connections);
    }

    private long AwaitAll(long since)
    {
        var due = _published * Holder.DeliveredBytes;
        var progress = Stopwatch.GetTimestamp();
        var last = ReceivedBytes;
        var finished = since;
        while (last < due)
        {
            Pause.Milliseconds(1);
            finished = Stopwatch.GetTimestamp();
            if (ReceivedBytes is var now && now > last)
                (last, progress) = (now, finished);
            else if (Stopwatch.GetElapsedTime(progress) > TimeSpan.FromSeconds(10))
                throw new LoadException($"{last / Holder.DeliveredBytes} of {_published} messages reached the {_connections} connections.");
        }

        return last == due ? finished : throw new LoadException($"The {_connections} connections received more than was sent.");
    }
}

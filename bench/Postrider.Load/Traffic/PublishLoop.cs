using System.Diagnostics;
using System.Runtime.InteropServices;
using Postrider.Load.Native;

namespace Postrider.Load.Traffic;

/// <summary>Sends the blocks of all publishers of a row from one thread.</summary>
internal sealed unsafe class PublishLoop : IDisposable
{
    private static readonly byte[] PingFrame = "PING\r\n"u8.ToArray();

    private readonly Connection[] _connections;
    private readonly FrameBlock[] _blocks;
    private readonly IFlowWindow _window;
    private readonly Doorbell _bell;
    private readonly Poller _poller = new();
    private readonly int[] _offsets;
    private readonly bool[] _full;
    private readonly bool[] _done;

    /// <param name="connections">One per publisher.</param>
    /// <param name="blocks">What each sends over and over; disposed with the loop.</param>
    /// <param name="window">When they must wait.</param>
    /// <param name="bell">Wakes the thread when there is room again.</param>
    public PublishLoop(Connection[] connections, FrameBlock[] blocks, IFlowWindow window, Doorbell bell)
    {
        _connections = connections;
        _window = window;
        _bell = bell;
        _blocks = blocks;
        _offsets = new int[connections.Length];
        _full = new bool[connections.Length];
        _done = new bool[connections.Length];
        for (var i = 0; i < connections.Length; i++)
            _poller.Watch(connections[i].Descriptor, Posix.Writable | Posix.EdgeTriggered, i);
        _poller.Watch(bell.Descriptor, Posix.Readable, -1);
    }

    /// <summary>When the server had handled everything that was sent (timestamp of <see cref="Stopwatch"/>).</summary>
    public long Finished { get; private set; }

    /// <summary>Publishes until the deadline has passed and <paramref name="leastMessages"/> were sent, then waits for each PONG.</summary>
    public void Run(long deadline, long leastMessages, CancellationToken ct)
    {
        var left = _connections.Length;
        while (left > 0)
        {
            ct.ThrowIfCancellationRequested();
            var moved = false;
            var stop = Stopwatch.GetTimestamp() >= deadline && _window.Published >= leastMessages;
            for (var i = 0; i < _connections.Length; i++)
            {
                if (_done[i])
                    continue;

                if (stop && _offsets[i] == 0)
                {
                    _done[i] = true;
                    left--;
                }
                else if (!_full[i] && (_offsets[i] > 0 || _window.HasRoom(i)))
                {
                    moved |= Push(i);
                }
            }

            if (!moved && left > 0)
                Sleep();
        }

        // Sockets block from here on: the rest is one small frame each way.
        foreach (var connection in _connections)
            connection.Say(PingFrame);
        foreach (var connection in _connections)
            connection.AwaitPong();
        Finished = Stopwatch.GetTimestamp();
    }

    public void Dispose()
    {
        _poller.Dispose();
        foreach (var block in _blocks)
            block.Dispose();
    }

    private bool Push(int i)
    {
        var block = _blocks[i];
        if (_offsets[i] == 0)
            _window.Sent(i, block.Frames);

        var sent = Posix.Send(_connections[i].Descriptor, block.Start + _offsets[i], (nuint)(block.Length - _offsets[i]),
            Posix.DontWait | Posix.NoSignal);
        if (sent > 0)
        {
            _offsets[i] = (_offsets[i] + (int)sent) % block.Length;
            return true;
        }

        var error = Marshal.GetLastPInvokeError();
        if (error is not (Posix.TryAgain or Posix.Interrupted))
            throw new LoadException($"The server closed a publisher's connection (errno {error}).");

        // The first send of a block may find the socket full: it is then counted as sent and follows when there is room.
        if (_offsets[i] == 0)
            _window.Sent(i, -block.Frames);
        _full[i] = error == Posix.TryAgain;
        return false;
    }

    private void Sleep()
    {
        var wait = false;
        for (var i = 0; i < _connections.Length; i++)
            wait |= !_done[i] && !_full[i] && _offsets[i] == 0;

        if (wait)
        {
            _window.Wait();
            // Room may have come between the look and the announcement.
            for (var i = 0; i < _connections.Length; i++)
            {
                if (!_done[i] && !_full[i] && _window.HasRoom(i))
                {
                    _window.StopWaiting();
                    return;
                }
            }
        }

        var ready = _poller.Wait(_window.PollMilliseconds);
        for (var e = 0; e < ready; e++)
        {
            var token = _poller.Token(e);
            if (token < 0)
                _bell.Silence();
            else
                _full[token] = false;
        }

        _window.StopWaiting();
    }
}

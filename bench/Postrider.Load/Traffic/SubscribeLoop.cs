using System.Diagnostics;
using System.Runtime.InteropServices;
using Postrider.Load.Native;
using Postrider.Load.Rows;

namespace Postrider.Load.Traffic;

/// <summary>Receives and counts for all subscribers of a row on one thread.</summary>
internal sealed unsafe class SubscribeLoop : IDisposable
{
    // As large as what a server sends at once, small enough to stay in the second-level cache.
    private const int ReadBytes = 256 * 1024;

    private static readonly TimeSpan SilenceLimit = TimeSpan.FromSeconds(10);

    private readonly StreamRow _row;
    private readonly Connection[] _connections;
    private readonly FlowWindow _window;
    private readonly FrameCounter[] _counters;
    private readonly Poller _poller = new();
    private readonly byte* _buffer = (byte*)NativeMemory.AlignedAlloc(ReadBytes, 64);
    private volatile bool _allSent;

    public SubscribeLoop(StreamRow row, Connection[] connections, FlowWindow window, int deliveredBytes)
    {
        _row = row;
        _connections = connections;
        _window = window;
        _counters = new FrameCounter[connections.Length];
        for (var i = 0; i < connections.Length; i++)
        {
            _counters[i] = new FrameCounter(deliveredBytes, (byte)(row.Headers is null ? 'M' : 'H'));
            _poller.Watch(connections[i].Descriptor, Posix.Readable, i);
        }

        DeliveredBytes = deliveredBytes;
    }

    /// <summary>When the last byte arrived (timestamp of <see cref="Stopwatch"/>).</summary>
    public long Finished { get; private set; }

    private int DeliveredBytes { get; }

    /// <summary>Says that the publishers are done: the loop ends once all they sent has arrived.</summary>
    public void AllSent() => _allSent = true;

    public void Run(CancellationToken ct)
    {
        Finished = Stopwatch.GetTimestamp();
        while (true)
        {
            ct.ThrowIfCancellationRequested();
            var ready = _poller.Wait(20);
            for (var e = 0; e < ready; e++)
                Take(_poller.Token(e));

            if (ready > 0)
            {
                Finished = Stopwatch.GetTimestamp();
                _window.RingIfRoom();
            }

            if (_allSent && Complete())
                return;

            if (ready == 0 && _allSent && Stopwatch.GetElapsedTime(Finished) > SilenceLimit)
            {
                throw new LoadException($"{_row.Name}: {_window.ReceivedBytes / DeliveredBytes} of " +
                    $"{_window.Published * _row.Copies} messages arrived, then nothing for {SilenceLimit.TotalSeconds} s.");
            }
        }
    }

    /// <summary>Throws if anything more is waiting to be read: a message that was never due.</summary>
    public void ExpectSilence()
    {
        foreach (var connection in _connections)
        {
            var count = Posix.Receive(connection.Descriptor, _buffer, ReadBytes, Posix.DontWait);
            if (count > 6)
                throw new LoadException($"{_row.Name}: {count} bytes came after everything was delivered.");
        }
    }

    public void Dispose()
    {
        _poller.Dispose();
        NativeMemory.AlignedFree(_buffer);
    }

    private void Take(int i)
    {
        var count = Posix.Receive(_connections[i].Descriptor, _buffer, ReadBytes, Posix.DontWait);
        if (count > 0)
        {
            var counter = _counters[i];
            counter.Accept(new ReadOnlySpan<byte>(_buffer, (int)count));
            _window.Received(i, counter.FrameBytes);
            for (; counter.Pings > 0; counter.Pings--)
                _connections[i].Pong();
            return;
        }

        var error = count == 0 ? 0 : Marshal.GetLastPInvokeError();
        if (error is not (Posix.TryAgain or Posix.Interrupted))
            throw new LoadException($"{_row.Name}: the server cut off subscriber {i} (errno {error}).");
    }

    private bool Complete()
    {
        if (_row.Feed == Feed.Shared)
            return _window.ReceivedBytes == _window.Published * DeliveredBytes;

        for (var i = 0; i < _counters.Length; i++)
        {
            if (_counters[i].FrameBytes < _window.ExpectedBytes(i))
                return false;
        }

        return true;
    }
}

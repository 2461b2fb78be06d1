using System.Diagnostics;
using System.Runtime.InteropServices;
using Postrider.Load.Native;

namespace Postrider.Load.Traffic;

/// <summary>Publishes to a stream from one connection with many acknowledgements under way, and checks each of them.</summary>
internal sealed unsafe class AckedPublishLoop : IDisposable
{
    // What one system call may send: more does not fit into the socket's buffer anyway.
    private const long MostBytesAtOnce = 512 * 1024;

    private static readonly TimeSpan SilenceLimit = TimeSpan.FromSeconds(30);

    private readonly Connection _connection;
    private readonly PublishFrames _frames;
    private readonly AckCheck _check;
    private readonly int _inFlight;
    private readonly MessageReader _reader;
    private readonly Poller _poller = new();
    private long _sentBytes;
    private bool _isFull;
    private long _lastSequence = -1;

    /// <param name="connection">Freshly opened.</param>
    /// <param name="frames">What is sent over and over.</param>
    /// <param name="check">Knows the stream.</param>
    /// <param name="inFlight">Acknowledgements that may be missing.</param>
    public AckedPublishLoop(Connection connection, PublishFrames frames, AckCheck check, int inFlight)
    {
        _connection = connection;
        _frames = frames;
        _check = check;
        _inFlight = inFlight;
        _reader = new MessageReader(connection, answersPings: false);
        connection.Subscribe($"{PublishFrames.Inbox}.*", "1");
        connection.RoundTrip();
        _poller.Watch(connection.Descriptor, Posix.Readable | Posix.Writable | Posix.EdgeTriggered, 0);
    }

    /// <summary>Messages whose acknowledgement arrived.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>When the last one did (timestamp of <see cref="Stopwatch"/>).</summary>
    public long Finished { get; private set; }

    /// <summary>Publishes until the deadline has passed or <paramref name="most"/> were sent, and takes every acknowledgement.</summary>
    public void Run(long deadline, long most)
    {
        var limit = most * _frames.FrameBytes;
        var progress = Stopwatch.GetTimestamp();
        Finished = progress;
        while (_sentBytes < limit || Acknowledged * _frames.FrameBytes < _sentBytes)
        {
            if (_sentBytes < limit && Stopwatch.GetTimestamp() >= deadline)
                limit = (_sentBytes + _frames.FrameBytes - 1) / _frames.FrameBytes * _frames.FrameBytes;

            var moved = Send(limit) | Take();
            if (moved)
                progress = Stopwatch.GetTimestamp();
            else if (_poller.Wait(100) == 0 && Stopwatch.GetElapsedTime(progress) > SilenceLimit)
                throw new LoadException($"{Acknowledged} of {_sentBytes / _frames.FrameBytes} messages were acknowledged, then nothing for {SilenceLimit.TotalSeconds} s.");
        }
    }

    public void Dispose()
    {
        _poller.Dispose();
        _reader.Dispose();
    }

    private bool Send(long limit)
    {
        // Between two frames: what is sent at once may end within one.
        var begun = _sentBytes % _frames.FrameBytes;
        if (_reader.OwedPongs > 0 && begun == 0)
            _reader.Pong();

        var allowed = Math.Min(limit, (Acknowledged + _inFlight) * _frames.FrameBytes) - _sentBytes;
        if (allowed <= 0)
        {
            _isFull = true;
            return false;
        }

        // A publisher that was stopped by its window goes on when a quarter of it is free, as one does that writes in
        // blocks: one frame for each acknowledgement would measure how small the batches of the two sides can become.
        if (_isFull && allowed < (long)_inFlight / 4 * _frames.FrameBytes && _sentBytes + allowed < limit)
            return false;

        _isFull = false;

        var offset = _sentBytes % _frames.Block.Length;
        var length = Math.Min(Math.Min(allowed, MostBytesAtOnce), _frames.Block.Length - offset);
        if (_reader.OwedPongs > 0)
            length = Math.Min(length, _frames.FrameBytes - begun);
        var sent = Posix.Send(_connection.Descriptor, _frames.Block.Start + offset, (nuint)length, Posix.DontWait | Posix.NoSignal);
        if (sent > 0)
        {
            _sentBytes += sent;
            return true;
        }

        return Marshal.GetLastPInvokeError() is Posix.TryAgain or Posix.Interrupted
            ? false : throw new LoadException("The server closed the publisher's connection.");
    }

    private bool Take()
    {
        if (!_reader.Fill())
            return false;

        while (_reader.TryNext(out var message))
        {
            // One publisher: its messages get sequences without a gap, and are acknowledged in order.
            var sequence = _check.Read(message.Payload);
            if (_lastSequence >= 0 && sequence != _lastSequence + 1)
                throw new LoadException($"Sequence {sequence} was acknowledged after {_lastSequence}.");
            _lastSequence = sequence;
            Acknowledged++;
        }

        Finished = Stopwatch.GetTimestamp();
        return true;
    }
}

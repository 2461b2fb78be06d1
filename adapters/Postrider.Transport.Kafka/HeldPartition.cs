using Confluent.Kafka;

namespace Postrider.Transport.Kafka;

/// <summary>A partition from its assignment to its loss: its finished messages, and the offset up to which all are finished.</summary>
/// <remarks>Thread-safe. A partition that is assigned again is another object: work started before does not count for it.</remarks>
internal sealed class HeldPartition(TopicPartition partition)
{
    // From the first unfinished message on, in the order of the log. Offsets may have gaps.
    private readonly Queue<HeldMessage> _messages = new();
    private readonly object _changing = new(); // guards everything below and above; pulsed when nothing runs any more
    private long _position = -1;
    private long _last = -1;
    private int _unsettled;
    private int _epoch;
    private int _running;
    private bool _isLost;

    internal TopicPartition Partition => partition;

    /// <summary>Whether the client was told not to fetch from it. Only used by the listener's thread.</summary>
    internal bool IsPaused { get; set; }

    /// <summary>The last committed offset; -1 for none. Only used by the listener's thread.</summary>
    internal long Committed { get; set; } = -1;

    /// <summary>Number of messages that were read and are not finished.</summary>
    internal int Unsettled
    {
        get
        {
            lock (_changing)
                return _unsettled;
        }
    }

    /// <summary>The offset up to which all messages are finished, exclusive; -1 if the first one is not.</summary>
    internal long Position
    {
        get
        {
            lock (_changing)
                return _position;
        }
    }

    internal bool IsLost
    {
        get
        {
            lock (_changing)
                return _isLost;
        }
    }

    /// <summary>Records a message that was read.</summary>
    internal HeldMessage Add(long offset)
    {
        lock (_changing)
        {
            if (offset <= _last)
            {
                // The log was recreated: its topic was deleted and created again, or its end was lost. Earlier messages no longer count.
                _messages.Clear();
                (_position, _unsettled, Committed) = (-1, 0, -1);
                _epoch++;
            }

            var message = new HeldMessage(offset, _epoch);
            _messages.Enqueue(message);
            _last = offset;
            _unsettled++;
            return message;
        }
    }

    /// <summary>Records that a message is finished.</summary>
    internal void Complete(HeldMessage message)
    {
        lock (_changing)
        {
            message.IsDone = true;
            // A message from before the log was recreated is not counted.
            if (message.Epoch != _epoch)
                return;
            _unsettled--;
            while (_messages.TryPeek(out var first) && first.IsDone)
                _position = _messages.Dequeue().Offset + 1;
        }
    }

    /// <summary>Starts to handle a message.</summary>
    /// <returns>False if the partition was lost in the meantime: its new owner handles the message.</returns>
    internal bool TryBegin()
    {
        lock (_changing)
        {
            if (_isLost)
                return false;
            _running++;
            return true;
        }
    }

    internal void End()
    {
        lock (_changing)
        {
            if (--_running == 0)
                Monitor.PulseAll(_changing);
        }
    }

    /// <summary>Ends the assignment: no further message is started.</summary>
    internal void Lose()
    {
        lock (_changing)
            _isLost = true;
    }

    /// <summary>Blocks until no handler runs.</summary>
    internal void WaitUntilIdle(TimeSpan limit)
    {
        var deadline = System.Diagnostics.Stopwatch.GetTimestamp();
        lock (_changing)
        {
            while (_running > 0 && limit - System.Diagnostics.Stopwatch.GetElapsedTime(deadline) is var left && left > TimeSpan.Zero)
                Monitor.Wait(_changing, left);
        }
    }
}

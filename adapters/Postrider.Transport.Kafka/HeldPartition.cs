using Confluent.Kafka;

namespace Postrider.Transport.Kafka;

/// <summary>A partition from its assignment to its loss: which of its messages are finished, and up to where all of them are.</summary>
/// <remarks>Thread-safe. Assigned again, a partition is another object: what was begun before counts for nothing then.</remarks>
internal sealed class HeldPartition(TopicPartition partition)
{
    // From the first one that is not finished on, in the order of the log. Offsets may have gaps.
    private readonly Queue<HeldMessage> _messages = new();
    private readonly object _changing = new(); // guards everything below and above; pulsed when nothing runs any more
    private long _position = -1;
    private long _last = -1;
    private int _unsettled;
    private int _epoch;
    private int _running;
    private bool _isLost;

    internal TopicPartition Partition => partition;

    /// <summary>Whether the client has been told not to fetch from it. Only of the listener's thread.</summary>
    internal bool IsPaused { get; set; }

    /// <summary>What was committed last; -1 for nothing. Only of the listener's thread.</summary>
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

    /// <summary>Notes a message that was read.</summary>
    internal HeldMessage Add(long offset)
    {
        lock (_changing)
        {
            if (offset <= _last)
            {
                // The log begins anew: its topic was deleted and created again, or its end was lost. What was read before counts no more.
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

    /// <summary>Notes that a message is finished.</summary>
    internal void Complete(HeldMessage message)
    {
        lock (_changing)
        {
            message.IsDone = true;
            // One from before the log began anew is in no count.
            if (message.Epoch != _epoch)
                return;
            _unsettled--;
            while (_messages.TryPeek(out var first) && first.IsDone)
                _position = _messages.Dequeue().Offset + 1;
        }
    }

    /// <summary>Begins to handle a message.</summary>
    /// <returns>False if the partition was lost in the meantime: whoever holds it now handles the message.</returns>
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

    /// <summary>Ends the assignment: nothing more is begun.</summary>
    internal void Lose()
    {
        lock (_changing)
            _isLost = true;
    }

    /// <summary>Blocks until nothing runs.</summary>
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

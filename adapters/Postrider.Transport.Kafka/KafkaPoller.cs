using System.Diagnostics;
using System.Threading.Channels;
using Confluent.Kafka;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.Kafka;

/// <summary>A consumer and the partitions assigned to it.</summary>
/// <remarks>Runs on one thread, on which the client also calls the handlers of the group's changes. Only <see cref="Problem"/> is read by
/// others.</remarks>
internal sealed partial class KafkaPoller : IDisposable
{
    // When idle, the thread checks for finished messages at this interval; more often while a partition waits to resume.
    private static readonly TimeSpan s_idle = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_waiting = TimeSpan.FromMilliseconds(5);

    private readonly KafkaConnection _connection;
    private readonly KafkaBinding _binding;
    private readonly ChannelWriter<ReadMessage> _due;
    private readonly IConsumer<byte[]?, byte[]?> _consumer;
    private readonly Dictionary<TopicPartition, HeldPartition> _held = [];
    private readonly int _full;
    private long _committed = Stopwatch.GetTimestamp();
    private long _asked = Stopwatch.GetTimestamp();
    private volatile string? _problem;

    internal KafkaPoller(KafkaConnection connection, KafkaBinding binding, ChannelWriter<ReadMessage> due)
    {
        (_connection, _binding, _due) = (connection, binding, due);
        _full = connection.Options.Throughput.MaxUnsettled;
        _consumer = connection.ConsumerOf(KafkaSettings.Consumer(connection.Options, binding))
            .SetPartitionsAssignedHandler((_, partitions) => OnAssigned(partitions))
            .SetPartitionsRevokedHandler((_, partitions) => OnRevoked(partitions))
            .SetPartitionsLostHandler((_, partitions) => OnLost(partitions))
            .Build();
    }

    /// <summary>The error that prevents the topic from being read; null for none.</summary>
    internal string? Problem
        => Stopwatch.GetElapsedTime(Volatile.Read(ref _asked)) > TimeSpan.FromMinutes(1) ? "its thread has not asked for messages for a minute" : _problem;

    /// <summary>Reads until it is stopped, and then remains a member of the group until all handlers have ended.</summary>
    /// <exception cref="KafkaException">The consumer has ended.</exception>
    internal void Run(Func<bool> isStopped, Func<bool> isOver)
    {
        _consumer.Subscribe(_binding.Source);
        while (!(isStopped() && isOver()))
        {
            Volatile.Write(ref _asked, Stopwatch.GetTimestamp());
            var waits = PauseAndResume(isStopped());
            if (Stopwatch.GetElapsedTime(_committed) >= _connection.Options.Retry.CommitInterval)
                Commit(_held.Values);
            try
            {
                if (_consumer.Consume(waits ? s_waiting : s_idle) is { } read)
                    Add(read, isStopped());
            }
            catch (ConsumeException failure) when (!failure.Error.IsFatal)
            {
                OnFailure(failure.Error);
            }
        }

        Commit(_held.Values);
    }

    public void Dispose()
    {
        foreach (var held in _held.Values)
            held.Lose();
        try
        {
            // Leaves the group: the others need not wait for the end of the session.
            _consumer.Close();
        }
        catch (KafkaException error)
        {
            LogNotClosed(_connection.Logger, _binding.Source, error);
        }

        _consumer.Dispose();
    }

    private void Add(ConsumeResult<byte[]?, byte[]?> read, bool isStopped)
    {
        _problem = null;
        // A message that arrives after the stop is not recorded: it is not committed, which returns it.
        if (!isStopped && _held.TryGetValue(read.TopicPartition, out var held))
            _due.TryWrite(new ReadMessage(held, held.Add(read.Offset.Value), read.Message, Attempt: 1));
    }

    private void OnFailure(Error error)
    {
        // After too long a pause the client leaves the group and joins it again by itself.
        _problem = KafkaErrors.IsUnknownTopic(error.Code) ? $"there is no topic '{_binding.Source}'" : error.Reason;
        LogFailure(_connection.Logger, _binding.Source, error.Code, error.Reason);
    }

    // Whether a partition waits to resume.
    private bool PauseAndResume(bool isStopped)
    {
        var waits = isStopped;
        foreach (var held in _held.Values)
        {
            var unsettled = held.Unsettled;
            if (!held.IsPaused && (isStopped || unsettled >= _full))
            {
                _consumer.Pause([held.Partition]);
                held.IsPaused = true;
            }
            else if (held.IsPaused && !isStopped && unsettled <= _full / 2)
            {
                _consumer.Resume([held.Partition]);
                held.IsPaused = false;
            }

            waits |= held.IsPaused;
        }

        return waits;
    }

    private void Commit(IEnumerable<HeldPartition> partitions)
    {
        _committed = Stopwatch.GetTimestamp();
        List<(HeldPartition Held, long Position)> moved = [.. partitions.Select(static held => (held, held.Position)).Where(static held => held.Position > held.held.Committed)];
        if (moved.Count == 0)
            return;
        try
        {
            _consumer.Commit(moved.Select(static held => new TopicPartitionOffset(held.Held.Partition, new Offset(held.Position))));
            foreach (var (held, position) in moved)
                held.Committed = position;
        }
        catch (TopicPartitionOffsetException failure)
        {
            foreach (var (held, position) in moved)
            {
                if (failure.Results.Any(result => result.TopicPartition == held.Partition && !result.Error.IsError))
                    held.Committed = position;
            }

            OnNotCommitted(failure);
        }
        catch (KafkaException failure)
        {
            OnNotCommitted(failure);
        }
    }

    // Offsets that are still held are committed the next time.
    private void OnNotCommitted(KafkaException failure)
    {
        if (KafkaErrors.IsRebalance(failure.Error.Code))
            LogCommittedLater(_connection.Logger, _binding.Source, failure.Error.Code);
        else
            LogNotCommitted(_connection.Logger, _binding.Source, failure);
    }

    private void OnAssigned(List<TopicPartition> partitions)
    {
        foreach (var partition in partitions)
            _held[partition] = new HeldPartition(partition);
        _problem = null;
        LogAssigned(_connection.Logger, _binding.Source, partitions.Count, _held.Count);
    }

    private void OnRevoked(List<TopicPartitionOffset> partitions)
    {
        var given = Remove(partitions);
        var began = Stopwatch.GetTimestamp();
        // Messages finished before the next member starts are not handled twice.
        foreach (var held in given)
            held.WaitUntilIdle(_connection.Options.Retry.HandOverWait - Stopwatch.GetElapsedTime(began));
        Commit(given);
    }

    // Other members already own them: a commit would overwrite theirs.
    private void OnLost(List<TopicPartitionOffset> partitions)
    {
        Remove(partitions);
        LogLost(_connection.Logger, _binding.Source, partitions.Count);
    }

    private List<HeldPartition> Remove(List<TopicPartitionOffset> partitions)
    {
        var removed = new List<HeldPartition>(partitions.Count);
        foreach (var partition in partitions)
        {
            if (!_held.Remove(partition.TopicPartition, out var held))
                continue;
            held.Lose();
            removed.Add(held);
        }

        return removed;
    }

    [LoggerMessage(7, LogLevel.Warning, "Topic '{Topic}' could not be read: {Code}, {Reason}")]
    private static partial void LogFailure(ILogger logger, string topic, ErrorCode code, string reason);

    [LoggerMessage(8, LogLevel.Debug, "Offsets of topic '{Topic}' are committed later, because the group is changing ({Code}).")]
    private static partial void LogCommittedLater(ILogger logger, string topic, ErrorCode code);

    [LoggerMessage(9, LogLevel.Warning, "Offsets of topic '{Topic}' could not be committed; the attempt will be repeated.")]
    private static partial void LogNotCommitted(ILogger logger, string topic, Exception error);

    [LoggerMessage(10, LogLevel.Debug, "{Count} partitions of topic '{Topic}' were assigned; {All} are held.")]
    private static partial void LogAssigned(ILogger logger, string topic, int count, int all);

    [LoggerMessage(11, LogLevel.Warning, "{Count} partitions of topic '{Topic}' were lost without a handover: their unfinished messages are handled again elsewhere.")]
    private static partial void LogLost(ILogger logger, string topic, int count);

    [LoggerMessage(12, LogLevel.Warning, "The consumer of topic '{Topic}' did not leave its group.")]
    private static partial void LogNotClosed(ILogger logger, string topic, Exception error);
}

using Confluent.Kafka;

namespace Postrider.Transport.Kafka;

/// <summary>Reads a topic from the committed offsets of a group to its current end, partition by partition.</summary>
/// <remarks>Not a member of the group: it causes no rebalance. Not thread-safe. The client blocks its callers, so it is called on threads
/// of the pool.</remarks>
internal sealed class KafkaLog : IAsyncDisposable
{
    private readonly IConsumer<byte[]?, byte[]?> _consumer;
    private readonly string _topic;
    private readonly TimeSpan _limit;
    private readonly (long Next, long End)[] _ranges;
    private int _assigned = -1;

    private KafkaLog(IConsumer<byte[]?, byte[]?> consumer, string topic, TimeSpan limit, (long Next, long End)[] ranges)
        => (_consumer, _topic, _limit, _ranges) = (consumer, topic, limit, ranges);

    internal int Partitions => _ranges.Length;

    /// <exception cref="TimeoutException">The servers do not respond.</exception>
    internal static Task<KafkaLog> OpenAsync(KafkaConnection connection, string group, string topic, int partitions, CancellationToken ct)
    {
        var limit = connection.Options.Observability.ProbeTimeout;
        return Task.Run(
            () =>
            {
                var consumer = connection.ConsumerOf(KafkaSettings.Reader(connection.Options, group)).Build();
                try
                {
                    var ranges = new (long, long)[partitions];
                    foreach (var committed in consumer.Committed(Enumerable.Range(0, partitions).Select(partition => new TopicPartition(topic, partition)), limit))
                    {
                        var marks = consumer.QueryWatermarkOffsets(committed.TopicPartition, limit);
                        var next = committed.Offset.IsSpecial ? marks.Low.Value : Math.Max(committed.Offset.Value, marks.Low.Value);
                        ranges[committed.Partition.Value] = (next, marks.High.Value);
                    }

                    return new KafkaLog(consumer, topic, limit, ranges);
                }
                catch (KafkaException silent)
                {
                    consumer.Dispose();
                    throw new TimeoutException($"Kafka at {connection.Servers} did not return the contents of topic '{topic}': {silent.Error.Reason}", silent);
                }
            },
            ct);
    }

    /// <summary>Reads the next message of a partition.</summary>
    /// <returns>Null at the end, as it was when the log was opened.</returns>
    internal Task<ConsumeResult<byte[]?, byte[]?>?> ReadAsync(int partition, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        return _ranges[partition] is var (next, end) && next >= end ? Task.FromResult<ConsumeResult<byte[]?, byte[]?>?>(null) : Task.Run(() => Read(partition, ct), ct);
    }

    /// <summary>Commits that a message and all before it in its partition are done.</summary>
    internal void Commit(ConsumeResult<byte[]?, byte[]?> read) => _consumer.Commit([new TopicPartitionOffset(read.TopicPartition, read.Offset + 1)]);

    public async ValueTask DisposeAsync() => await Task.Run(_consumer.Dispose).ConfigureAwait(false);

    private ConsumeResult<byte[]?, byte[]?>? Read(int partition, CancellationToken ct)
    {
        if (_assigned != partition)
        {
            _consumer.Assign(new TopicPartitionOffset(_topic, partition, _ranges[partition].Next));
            _assigned = partition;
        }

        var began = System.Diagnostics.Stopwatch.GetTimestamp();
        while (true)
        {
            ct.ThrowIfCancellationRequested();
            // The last offsets of a log may belong to no message: then its end is reported.
            if (_consumer.Consume(TimeSpan.FromMilliseconds(100)) is { } read)
            {
                if (read.IsPartitionEOF || read.Offset.Value >= _ranges[partition].End)
                {
                    _ranges[partition].Next = _ranges[partition].End;
                    return null;
                }

                _ranges[partition].Next = read.Offset.Value + 1;
                return read;
            }

            if (System.Diagnostics.Stopwatch.GetElapsedTime(began) > _limit)
                throw new TimeoutException($"Partition {partition} of topic '{_topic}' was not read within {_limit}.");
        }
    }
}

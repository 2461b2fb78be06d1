using Confluent.Kafka;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Kafka;

/// <summary>Sends to a topic; the key of a message chooses its partition. Completes when the servers have confirmed the message.</summary>
internal sealed class KafkaSender : MessageSender
{
    // A confirmation makes room; they arrive in batches, so a missed one costs only a few milliseconds.
    private static readonly TimeSpan s_fullPause = TimeSpan.FromMilliseconds(5);

    private readonly KafkaConnection _connection;
    private readonly string _topic;

    internal KafkaSender(KafkaTransport transport, KafkaConnection connection, SendTarget target)
        : base(transport, target)
        => (_connection, _topic) = (connection, KafkaTopic.Check(target.Destination));

    /// <inheritdoc/>
    public override long MaxBodyBytes => _connection.Options.Poison.MaxBodyBytes;

    protected override TimeProvider TimeProvider => _connection.Time;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => SendAsync(
            new Message<byte[]?, byte[]> { Key = KafkaHeaderMapping.Key(in properties), Headers = KafkaHeaderMapping.ToKafka(in properties), Value = body.ToArray() },
            Partition.Any,
            ct);

    /// <summary>Sends a message as it is.</summary>
    internal async ValueTask SendAsync(Message<byte[]?, byte[]> message, Partition partition, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        // Handlers run on the client's thread: continuations of the send must not run there.
        var sent = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        while (true)
        {
            var producer = _connection.Producer;
            try
            {
                producer.Produce(new TopicPartition(_topic, partition), message, report =>
                {
                    if (report.Error.IsFatal)
                        _connection.Renew(producer);
                    if (report.Error.IsError)
                        sent.TrySetException(KafkaErrors.OfSend(report.Error, report.Status, _topic, _connection));
                    else
                        sent.TrySetResult();
                });
                break;
            }
            catch (ProduceException<byte[]?, byte[]> full) when (full.Error.Code == ErrorCode.Local_QueueFull)
            {
                await Task.Delay(s_fullPause, TimeProvider.System, ct).ConfigureAwait(false);
            }
            catch (ProduceException<byte[]?, byte[]> ended) when (ended.Error.IsFatal)
            {
                _connection.Renew(producer);
            }
            catch (ProduceException<byte[]?, byte[]> refused)
            {
                throw KafkaErrors.OfSend(refused.Error, PersistenceStatus.NotPersisted, _topic, _connection);
            }
        }

        await sent.Task.WaitAsync(ct).ConfigureAwait(false);
    }
}

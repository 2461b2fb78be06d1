using Confluent.Kafka;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Kafka;

/// <summary>Sends to a topic; the key of a message chooses its partition. Completes when the servers have confirmed the message.</summary>
internal sealed class KafkaSender : MessageSender
{
    // A confirmation makes room; they arrive in batches, so a missed one costs only a few milliseconds.
    private static readonly TimeSpan s_fullPause = TimeSpan.FromMilliseconds(5);

    // The client drops what waits for a server that left the cluster, unsent; the next attempt finds where the partition is now.
    private const int MaxRepeats = 3;

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
        for (var repeats = 0; !await SendOnceAsync(message, partition, canRepeat: repeats < MaxRepeats, ct).ConfigureAwait(false); repeats++)
        {
        }
    }

    // Whether it was confirmed; otherwise it was dropped unsent.
    private async ValueTask<bool> SendOnceAsync(Message<byte[]?, byte[]> message, Partition partition, bool canRepeat, CancellationToken ct)
    {
        // Handlers run on the client's thread: continuations of the send must not run there.
        var sent = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        while (true)
        {
            var producer = _connection.Producer;
            try
            {
                producer.Produce(new TopicPartition(_topic, partition), message, report =>
                {
                    if (report.Error.IsFatal)
                        _connection.Renew(producer);
                    if (!report.Error.IsError)
                        sent.TrySetResult(true);
                    else if (canRepeat && report is { Error.Code: ErrorCode.Local_Destroy, Status: PersistenceStatus.NotPersisted })
                        sent.TrySetResult(false);
                    else
                        sent.TrySetException(KafkaErrors.OfSend(report.Error, report.Status, _topic, _connection));
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

        using var ending = _connection.Ended.UnsafeRegister(static (state, _) => ((TaskCompletionSource<bool>)state!).TrySetException(Unconfirmed()), sent);
        return await sent.Task.WaitAsync(ct).ConfigureAwait(false);
    }

    private static PostriderException Unconfirmed()
        => new(PostriderError.Unavailable, "The transport was disposed before Kafka confirmed the message, which may be stored.");
}

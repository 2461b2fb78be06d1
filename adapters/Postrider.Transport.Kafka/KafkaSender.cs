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
    private readonly bool _isOfDeadLetters;

    internal KafkaSender(KafkaTransport transport, KafkaConnection connection, SendTarget target, bool isOfDeadLetters = false)
        : base(transport, target)
        => (_connection, _topic, _isOfDeadLetters) = (connection, KafkaTopic.Check(target.Destination), isOfDeadLetters);

    /// <inheritdoc/>
    public override long MaxBodyBytes => _connection.Options.Poison.MaxBodyBytes;

    /// <inheritdoc/>
    public override string? MaxBodyBytesSetting => $"Poison.MaxBodyBytes in {_connection.Options.Place}";

    protected override TimeProvider TimeProvider => _connection.Time;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var message = new Message<byte[]?, byte[]> { Key = KafkaHeaderMapping.Key(in properties), Headers = KafkaHeaderMapping.ToKafka(in properties), Value = body.ToArray() };
        if (!_isOfDeadLetters)
            CheckSize(message);
        return SendAsync(message, Partition.Any, ct);
    }

    /// <summary>Sends a message as it is.</summary>
    internal ValueTask SendAsync(Message<byte[]?, byte[]> message, Partition partition, CancellationToken ct)
    {
        if (ct.IsCancellationRequested)
            return ValueTask.FromCanceled(ct);
        if (_connection.Ended.IsCancellationRequested)
            return ValueTask.FromException(new ObjectDisposedException(nameof(KafkaTransport)));
        var sent = new Confirmation(this, new TopicPartition(_topic, partition), message, ct);
        return sent.TryProduce() ? new(sent.Task.WaitAsync(ct)) : WaitForRoomAsync(sent, ct);
    }

    // The limit of the client is that of dead letters.
    private void CheckSize(Message<byte[]?, byte[]> message)
    {
        var bytes = (long)message.Value.Length + (message.Key?.Length ?? 0);
        foreach (var header in message.Headers)
            bytes += header.Key.Length + (header.GetValueBytes()?.Length ?? 0);
        if (bytes > MaxBodyBytes + KafkaSettings.HeaderRoomBytes)
            throw new PostriderException(PostriderError.TooLarge, $"Message to '{_topic}' has {bytes} bytes with its key and its headers, and exceeds the transport's limit of {MaxBodyBytes} bytes of body and {KafkaSettings.HeaderRoomBytes} bytes of the rest.");
    }

    private static async ValueTask WaitForRoomAsync(Confirmation sent, CancellationToken ct)
    {
        await sent.ProduceAsync().ConfigureAwait(false);
        await sent.Task.WaitAsync(ct).ConfigureAwait(false);
    }

    private static PostriderException Unconfirmed()
        => new(PostriderError.Unavailable, "The transport was disposed before Kafka confirmed the message, which may be stored.");

    // Completes when the message is confirmed. Reports arrive on the client's thread, where continuations of the send must not run.
    private sealed class Confirmation : TaskCompletionSource
    {
        private readonly KafkaSender _sender;
        private readonly TopicPartition _partition;
        private readonly Message<byte[]?, byte[]> _message;
        private readonly CancellationToken _ct;
        private readonly CancellationTokenRegistration _ending;
        private IProducer<byte[]?, byte[]> _producer = null!;
        private int _repeats;

        internal Confirmation(KafkaSender sender, TopicPartition partition, Message<byte[]?, byte[]> message, CancellationToken ct)
            : base(TaskCreationOptions.RunContinuationsAsynchronously)
        {
            (_sender, _partition, _message, _ct) = (sender, partition, message, ct);
            // Before the message is sent, so that its report finds the registration.
            _ending = sender._connection.Ended.UnsafeRegister(static (state, _) => ((Confirmation)state!).TrySetException(Unconfirmed()), this);
        }

        /// <summary>Gives the message to the client, unless the task has ended.</summary>
        /// <returns>False if the client has no room for it now. Everything else that fails ends the task.</returns>
        internal bool TryProduce()
        {
            while (!Task.IsCompleted)
            {
                try
                {
                    _producer = _sender._connection.Producer;
                    _producer.Produce(_partition, _message, Report);
                    return true;
                }
                catch (ProduceException<byte[]?, byte[]> full) when (full.Error.Code == ErrorCode.Local_QueueFull)
                {
                    return false;
                }
                catch (ProduceException<byte[]?, byte[]> ended) when (ended.Error.IsFatal)
                {
                    _sender._connection.Renew(_producer);
                }
                catch (ProduceException<byte[]?, byte[]> refused)
                {
                    End(KafkaErrors.OfSend(refused.Error, PersistenceStatus.NotPersisted, _sender._topic, _sender._connection));
                }
                catch (Exception failure)
                {
                    End(failure);
                }
            }

            return true;
        }

        /// <summary>Gives the message to the client as soon as there is room for it.</summary>
        internal async Task ProduceAsync()
        {
            try
            {
                while (!TryProduce())
                    await System.Threading.Tasks.Task.Delay(s_fullPause, TimeProvider.System, _ct).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                _ending.Unregister();
                TrySetCanceled(_ct);
            }
        }

        private void Report(DeliveryReport<byte[]?, byte[]> report)
        {
            if (report.Error.IsFatal)
                _sender._connection.Renew(_producer);
            if (!report.Error.IsError)
            {
                _ending.Unregister();
                TrySetResult();
            }
            else if (report is { Error.Code: ErrorCode.Local_Destroy, Status: PersistenceStatus.NotPersisted } && _repeats < MaxRepeats && !_ct.IsCancellationRequested)
            {
                _repeats++;
                ThreadPool.UnsafeQueueUserWorkItem(static sent => _ = sent.ProduceAsync(), this, preferLocal: false);
            }
            else
            {
                End(KafkaErrors.OfSend(report.Error, report.Status, _sender._topic, _sender._connection));
            }
        }

        private void End(Exception failure)
        {
            _ending.Unregister();
            TrySetException(failure);
        }
    }
}

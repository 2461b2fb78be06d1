using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Aws;

/// <summary>Sends to a queue, a topic or a bus; completes when the service has stored the message.</summary>
internal sealed class AwsSender : MessageSender
{
    private readonly AwsConnection _connection;
    private readonly IAwsTarget _target;
    private readonly BatchQueue<AwsMessage> _batches;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the name is not valid, or the target cannot
    /// delay.</exception>
    internal AwsSender(AwsTransport transport, AwsConnection connection, SendTarget target, bool isForDeadLetters = false)
        : base(transport, target)
    {
        _connection = connection;
        var type = connection.Options.QueueType;
        var destination = AwsDestination.Parse(target.Destination, type);
        _target = destination.Kind switch
        {
            AwsDestinationKind.Topic => new SnsTarget(connection, destination, isForDeadLetters),
            AwsDestinationKind.EventBus => new EventBridgeTarget(connection, destination),
            _ => new SqsTarget(connection, destination, isForDeadLetters),
        };
        CheckDelay(target.Delay);
        // The order of a FIFO destination is that of its requests.
        var requests = type == AwsQueueType.Fifo ? 1 : connection.Options.Throughput.MaxRequests;
        _batches = new(connection, target.Destination, _target.MaxBytes, requests, _target.SendAsync);
    }

    /// <inheritdoc/>
    public override long MaxBodyBytes => Math.Min(_connection.Options.Poison.MaxBodyBytes, _target.MaxBytes);

    /// <inheritdoc/>
    public override string? MaxBodyBytesSetting => _connection.Options.Poison.MaxBodyBytes < _target.MaxBytes ? $"Poison.MaxBodyBytes in {nameof(AwsOptions)}" : null;

    /// <inheritdoc/>
    public override TimeSpan MaxDelay => _target.Delays ? SqsLimits.MaxDelay : TimeSpan.MaxValue;

    protected override TimeProvider TimeProvider => _connection.Time;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        CheckDelay(properties.Delay);
        var message = _target.Encode(in properties, body);
        if (message.Bytes > _target.MaxBytes)
            throw new PostriderException(PostriderError.TooLarge, $"Message to '{Target.Destination}' takes {message.Bytes} bytes with its headers and its encoding ({body.Length} bytes of body) and exceeds the limit of {_target.MaxBytes} bytes.");
        return SendAsync(message, ct);
    }

    private async ValueTask SendAsync(AwsMessage message, CancellationToken ct)
    {
        await _connection.Unconfirmed.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            await _batches.AddAsync(message, message.Bytes, ct).ConfigureAwait(false);
        }
        finally
        {
            _connection.Unconfirmed.Release();
        }
    }

    private void CheckDelay(TimeSpan delay)
    {
        if (delay <= TimeSpan.Zero)
            return;
        if (!_target.Delays)
            throw new PostriderException(PostriderError.Configuration, $"Messages to '{Target.Destination}' have Delay {delay}, which topics and event buses do not support: remove Delay from the SendTarget, or send to a queue.");
        if (delay > SqsLimits.MaxDelay)
            throw new PostriderException(PostriderError.Configuration, $"Messages to '{Target.Destination}' have Delay {delay}, and SQS keeps a message back for at most {SqsLimits.MaxDelay}: schedule it in the outbox instead.");
    }
}

using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.RabbitMq;

/// <summary>Sends to a queue, or to an exchange with a routing key; completes when the server has confirmed the message.</summary>
internal sealed class RabbitMqSender : MessageSender
{
    private readonly RabbitMqPublisher _publisher;
    private readonly RabbitMqAddress _address;
    private readonly RabbitMqOptions _options;

    internal RabbitMqSender(RabbitMqTransport transport, RabbitMqPublisher publisher, RabbitMqOptions options, TimeProvider time, SendTarget target)
        : base(transport, target)
        => (_publisher, _address, _options, TimeProvider) = (publisher, RabbitMqAddress.Parse(target.Destination), options, time);

    /// <inheritdoc/>
    public override long MaxBodyBytes => _options.Poison.MaxBodyBytes;

    /// <inheritdoc/>
    public override string? MaxBodyBytesSetting => $"Poison.MaxBodyBytes in {_options.Place}";

    /// <inheritdoc/>
    public override TimeSpan MaxDelay => DelayQueues.Max;

    protected override TimeProvider TimeProvider { get; }

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => _publisher.PublishAsync(_address, RabbitMqHeaderMapping.ToAmqp(in properties), body, properties.Delay, ct);
}

using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.ServiceBus;

/// <summary>Sends to a queue or topic; completes when the service has stored the message.</summary>
internal sealed class ServiceBusSender : MessageSender
{
    private readonly EntitySender _sender;
    private readonly ServiceBusConnection _connection;

    internal ServiceBusSender(ServiceBusTransport transport, ServiceBusConnection connection, EntitySender sender, SendTarget target)
        : base(transport, target)
        => (_connection, _sender) = (connection, sender);

    /// <inheritdoc/>
    public override long MaxBodyBytes => _connection.Options.Poison.MaxBodyBytes;

    /// <inheritdoc/>
    public override string? MaxBodyBytesSetting => $"Poison.MaxBodyBytes in {nameof(ServiceBusOptions)}";

    /// <inheritdoc/>
    /// <remarks>The time is sent as a date, whose years have four digits.</remarks>
    public override TimeSpan MaxDelay { get; } = TimeSpan.FromDays(36_500);

    protected override TimeProvider TimeProvider => _connection.Time;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var copy = properties;
        return _sender.SendAsync(() => ServiceBusHeaderMapping.ToAmqp(in copy, body, _connection.Time), ct);
    }
}

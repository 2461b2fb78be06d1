using System.Text;

namespace Postrider.Transport.RabbitMq;

/// <summary>A destination: <c>queue</c>, or <c>exchange/routing.key</c>.</summary>
/// <param name="Exchange">The exchange; empty for the default one, whose routing keys are the names of queues.</param>
/// <param name="RoutingKey">The routing key.</param>
internal readonly record struct RabbitMqAddress(string Exchange, string RoutingKey)
{
    // A short string of AMQP 0.9.1.
    internal const int MaxNameBytes = 255;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a part is too long, or there is none.</exception>
    internal static RabbitMqAddress Parse(string destination)
    {
        var slash = destination.IndexOf('/', StringComparison.Ordinal);
        var address = slash < 0 ? new RabbitMqAddress("", destination) : new(destination[..slash], destination[(slash + 1)..]);
        if (destination.Length == 0)
            throw new PostriderException(PostriderError.Configuration, "The destination is empty; it must be 'queue' or 'exchange/routing.key'.");
        if (Encoding.UTF8.GetByteCount(address.Exchange) > MaxNameBytes || Encoding.UTF8.GetByteCount(address.RoutingKey) > MaxNameBytes)
            throw new PostriderException(PostriderError.Configuration, $"Destination '{destination}' has an exchange or a routing key of more than {MaxNameBytes} bytes.");
        return address;
    }
}

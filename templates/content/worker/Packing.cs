using Postrider;

namespace PostriderWorker;

/// <summary>Packs orders. An exception causes a retry; after the last attempt the message is sent to "lost.orders.placed".</summary>
internal sealed class Packing(ILogger<Packing> logger) : INotificationHandler<OrderPlaced>
{
    public ValueTask Handle(OrderPlaced notification, CancellationToken ct)
    {
        logger.LogInformation("Packed {Item} for order {Number}", notification.Item, notification.Number);
        return ValueTask.CompletedTask;
    }
}

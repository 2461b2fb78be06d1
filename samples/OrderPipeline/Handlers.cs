using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transport.Nats;

namespace Postrider.Samples.OrderPipeline;

/// <summary>Packs orders. Its exceptions decide what happens to an order: another attempt, or a dead letter.</summary>
internal static partial class Packing
{
    [Handler]
    public static async Task Pack(PackOrder order, MessageContext context, Warehouse warehouse, OrderEvents events, ILogger<Worker> logger, CancellationToken ct)
    {
        var attempt = context.Delivery?.Count ?? 1;
        var state = new OrderState(OrderStep.Packing, $"{order.Quantity} x {order.Item}", attempt);
        await events.TellAsync(new OrderChanged(order.Id, state), ct);
        await warehouse.PackAsync(order, attempt, ct);
        await events.TellAsync(new OrderChanged(order.Id, state with { Step = OrderStep.Packed }), ct);
        Packed(logger, order.Id, state.Text, attempt);
    }

    [LoggerMessage(1, LogLevel.Information, "packed order {Id}: {Text} (attempt {Attempt})")]
    private static partial void Packed(ILogger logger, string id, string text, long attempt);
}

/// <summary>Updates the projection.</summary>
internal sealed class ProjectOrder(OrderStates states) : INotificationHandler<OrderChanged>
{
    public ValueTask Handle(OrderChanged notification, CancellationToken ct) => states.ApplyAsync(notification.Id, notification.State, ct);
}

/// <summary>Records dead letters in the projection.</summary>
internal static class Losses
{
    [Handler]
    public static async Task Lose(OrderLost order, MessageContext context, OrderStates states, CancellationToken ct)
    {
        var attempts = long.TryParse(context.Headers[DeadLetterHeaders.Deliveries], out var deliveries) ? deliveries : 1;
        var reason = context.Headers[HeaderNames.Error] ?? "unknown";
        await states.ApplyAsync(order.Id, new OrderState(OrderStep.Lost, $"{order.Quantity} x {order.Item}", attempts, reason), ct);
    }
}

using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace FlowGuide;

/// <summary>A hosted service that works through a channel for as long as the host runs.</summary>
/// <remarks>On shutdown it starts nothing more and lets what is in flight finish within the host's shutdown time.</remarks>
public sealed partial class OrderWorker(ChannelReader<Order> orders, ILogger<OrderWorker> logger) : BackgroundService
{
    private readonly FlowControl _control = new();

    /// <inheritdoc/>
    protected override Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // No token for the operation itself: it ends by draining, not by cancelling.
        stoppingToken.UnsafeRegister(static control => ((FlowControl)control!).Drain(), _control);
        return orders.ForEachParallelAsync(HandleAsync, new FlowOptions<Order>
        {
            MaxConcurrency = 16,
            Key = ItemKey<Order>.By(order => order.Customer),
            Control = _control,
            Errors = ErrorMode.Skip,
            Retry = new RetryPolicy(),
            Hooks = new FlowHooks { OnFailure = Report },
        }, CancellationToken.None);
    }

    private static async ValueTask HandleAsync(Order order, CancellationToken ct)
        => await Task.Delay(TimeSpan.FromMilliseconds((double)order.Total), ct);

    private ValueTask<bool> Report(FlowFailure failure)
    {
        OrderFailed(logger, failure.Index, failure.Attempts, failure.Exception);
        return ValueTask.FromResult(true);
    }

    [LoggerMessage(Level = LogLevel.Error, Message = "Order at {Index} failed after {Attempts} attempts.")]
    private static partial void OrderFailed(ILogger logger, long index, int attempts, Exception exception);
}

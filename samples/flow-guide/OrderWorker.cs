using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace FlowGuide;

/// <summary>A hosted service that processes a channel while the host runs.</summary>
/// <remarks>On shutdown it starts no further items and lets those in flight finish within the host's shutdown timeout.</remarks>
public sealed partial class OrderWorker(ChannelReader<Order> orders, ILogger<OrderWorker> logger) : BackgroundService
{
    private readonly FlowControl _control = new();

    /// <inheritdoc/>
    protected override Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // The operation gets no token: it ends by draining, not by cancellation.
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

using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Postrider.Transport.RabbitMq;

/// <summary>The objects on the server that a binding needs: exchanges, queues and their bindings.</summary>
internal sealed partial class RabbitMqTopology(RabbitMqConnection connection, RabbitMqBinding binding)
{
    private const int NotFound = 404;
    private const int PreconditionFailed = 406;
    private const int NoLimit = -1;

    /// <summary>Compares the server with the binding and changes nothing.</summary>
    /// <returns>The missing or different objects; empty if there are none. Bindings of queues to exchanges cannot be queried and are not
    /// listed.</returns>
    internal async ValueTask<IReadOnlyList<RabbitMqTopologyChange>> PlanAsync(CancellationToken ct)
    {
        var changes = new List<RabbitMqTopologyChange>();
        foreach (var (exchange, type) in Exchanges())
        {
            if (!await IsThereAsync(channel => channel.ExchangeDeclarePassiveAsync(exchange, ct), ct).ConfigureAwait(false))
                changes.Add(new("exchange", exchange, null));
            else if (await DifferenceAsync(channel => DeclareAsync(channel, exchange, type, ct), ct).ConfigureAwait(false) is { } difference)
                changes.Add(new("exchange", exchange, difference));
        }

        var limit = await DeliveryLimitAsync(ct).ConfigureAwait(false);
        foreach (var (queue, arguments) in Queues(limit))
        {
            if (!await IsThereAsync(channel => channel.QueueDeclarePassiveAsync(queue, ct), ct).ConfigureAwait(false))
                changes.Add(new("queue", queue, null));
            else if (await DifferenceAsync(channel => DeclareAsync(channel, queue, arguments, ct), ct).ConfigureAwait(false) is { } difference)
                changes.Add(new("queue", queue, difference));
        }

        return changes;
    }

    /// <summary>Declares missing objects.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an object exists with other arguments, or the
    /// account may not declare. Existing objects are not changed.</exception>
    internal async ValueTask ApplyAsync(CancellationToken ct)
    {
        var limit = await DeliveryLimitAsync(ct).ConfigureAwait(false);
        var channel = await connection.OpenChannelAsync(null, ct).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            try
            {
                foreach (var (exchange, type) in Exchanges())
                    await DeclareAsync(channel, exchange, type, ct).ConfigureAwait(false);
                foreach (var (queue, arguments) in Queues(limit))
                    await DeclareAsync(channel, queue, arguments, ct).ConfigureAwait(false);
                foreach (var topic in binding.Topics)
                {
                    var address = RabbitMqAddress.Parse(topic);
                    await channel.QueueBindAsync(binding.Source, address.Exchange, address.RoutingKey, cancellationToken: ct).ConfigureAwait(false);
                }

                foreach (var exchange in binding.FanoutExchanges)
                    await channel.QueueBindAsync(binding.Source, exchange, routingKey: "", cancellationToken: ct).ConfigureAwait(false);
            }
            catch (OperationInterruptedException refused) when (refused.ShutdownReason?.ReplyCode == PreconditionFailed)
            {
                throw new PostriderException(
                    PostriderError.Configuration,
                    $"The binding of '{binding.Source}' does not match the objects on the server: {refused.ShutdownReason.ReplyText}. Change the binding, or delete the queue or exchange while it is empty; nothing was changed.",
                    refused);
            }
            catch (OperationInterruptedException refused) when (refused.ShutdownReason?.ReplyCode == 403)
            {
                throw new PostriderException(
                    PostriderError.Configuration,
                    $"The account may not declare what the binding of '{binding.Source}' needs: {refused.ShutdownReason.ReplyText}. Grant the permission, or set {nameof(RabbitMqBinding.DeclaresTopology)} to false and declare it in another way.",
                    refused);
            }
        }
    }

    /// <summary>Checks the queues without the permission to declare them.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: a queue does not exist; <see cref="PostriderError.Configuration"/>:
    /// the binding has more attempts than the server makes deliveries.</exception>
    internal async ValueTask VerifyAsync(CancellationToken ct)
    {
        foreach (var (queue, _) in Queues(binding.DeliveryLimit))
        {
            if (!await IsThereAsync(channel => channel.QueueDeclarePassiveAsync(queue, ct), ct).ConfigureAwait(false))
                throw new PostriderException(PostriderError.NoListener, $"There is no queue '{queue}', and the binding of '{binding.Source}' does not declare it ({nameof(RabbitMqBinding.DeclaresTopology)} is false). Declare the queue, or set {nameof(RabbitMqBinding.DeclaresTopology)} to true.");
        }

        if (connection.LimitsDeliveries && binding is { QueueType: RabbitMqQueueType.Quorum, DeliveryLimit: null })
            binding.CheckAttempts(RabbitMqConnection.DefaultDeliveryLimit, "the default of RabbitMQ 4");
    }

    private IEnumerable<(string Exchange, string Type)> Exchanges()
        => binding.Topics.Select(static topic => (RabbitMqAddress.Parse(topic).Exchange, ExchangeType.Topic))
            .Concat(binding.FanoutExchanges.Select(static exchange => (exchange, ExchangeType.Fanout))).Distinct();

    private IEnumerable<(string Queue, Dictionary<string, object?> Arguments)> Queues(int? deliveryLimit)
    {
        if (binding.DeadLetter is { } deadLetter)
            yield return (deadLetter, Arguments());
        var arguments = Arguments();
        if (binding.MaxLength is { } length)
        {
            arguments["x-max-length"] = length;
            arguments["x-overflow"] = "reject-publish";
        }

        if (deliveryLimit is { } deliveries)
            arguments["x-delivery-limit"] = deliveries;
        if (binding.SingleActiveConsumer)
            arguments["x-single-active-consumer"] = true;
        yield return (binding.Source, arguments);
    }

    // Unless the binding sets a limit, its queue is declared without one if the binding has more attempts than the server makes deliveries. A
    // queue that already exists with the server's limit is used unchanged: its arguments cannot be changed, and only deliveries that are not
    // acknowledged count towards the limit.
    private async ValueTask<int?> DeliveryLimitAsync(CancellationToken ct)
    {
        if (binding is not { QueueType: RabbitMqQueueType.Quorum, DeliveryLimit: null, Retry.MaxAttempts: > RabbitMqConnection.DefaultDeliveryLimit })
            return binding.DeliveryLimit;
        // The version of the server is known when there is a connection.
        var isThere = await IsThereAsync(channel => channel.QueueDeclarePassiveAsync(binding.Source, ct), ct).ConfigureAwait(false);
        if (!connection.LimitsDeliveries)
            return null;
        var unlimited = Queues(NoLimit).Single(queue => queue.Queue == binding.Source).Arguments;
        if (!isThere || await DifferenceAsync(channel => DeclareAsync(channel, binding.Source, unlimited, ct), ct).ConfigureAwait(false) is not { } difference || !difference.Contains("x-delivery-limit", StringComparison.Ordinal))
            return NoLimit;
        LogLimited(connection.Logger, binding.Source, RabbitMqConnection.DefaultDeliveryLimit, binding.Retry.MaxAttempts);
        return null;
    }

    private Dictionary<string, object?> Arguments() => new(StringComparer.Ordinal) { ["x-queue-type"] = binding.QueueType == RabbitMqQueueType.Quorum ? "quorum" : "classic" };

    private static Task DeclareAsync(IChannel channel, string exchange, string type, CancellationToken ct)
        => channel.ExchangeDeclareAsync(exchange, type, durable: true, autoDelete: false, cancellationToken: ct);

    private static Task<QueueDeclareOk> DeclareAsync(IChannel channel, string queue, Dictionary<string, object?> arguments, CancellationToken ct)
        => channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false, arguments, cancellationToken: ct);

    // Each on a separate channel: a negative response closes it.
    private async ValueTask<bool> IsThereAsync(Func<IChannel, Task> ask, CancellationToken ct)
    {
        var channel = await connection.OpenChannelAsync(null, ct).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            try
            {
                await ask(channel).ConfigureAwait(false);
                return true;
            }
            catch (OperationInterruptedException missing) when (missing.ShutdownReason?.ReplyCode == NotFound)
            {
                return false;
            }
        }
    }

    private async ValueTask<string?> DifferenceAsync(Func<IChannel, Task> declare, CancellationToken ct)
    {
        var channel = await connection.OpenChannelAsync(null, ct).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            try
            {
                await declare(channel).ConfigureAwait(false);
                return null;
            }
            catch (OperationInterruptedException different) when (different.ShutdownReason?.ReplyCode == PreconditionFailed)
            {
                return different.ShutdownReason.ReplyText;
            }
        }
    }

    [LoggerMessage(7, LogLevel.Warning, "Queue '{Queue}' exists with the limit of the server, which drops a message after {Limit} deliveries that nobody acknowledged; its binding has {Attempts} attempts. Set a policy with delivery-limit -1 for the queue, or delete it while it is empty.")]
    private static partial void LogLimited(ILogger logger, string queue, int limit, int attempts);
}

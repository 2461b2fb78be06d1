using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Postrider.Transport.RabbitMq;

/// <summary>Publishes with confirmations over a separate channel, which is opened again after an error closed it.</summary>
/// <remarks>Thread-safe: the client writes each publish as a whole.</remarks>
internal sealed partial class RabbitMqPublisher(RabbitMqConnection connection, TimeProvider time) : IAsyncDisposable
{
    // AMQP's code for a message that the server rejects; it closes the channel.
    private const ushort PreconditionFailed = 406;

    private readonly SemaphoreSlim _opening = new(1); // guards the replacement of _channel
    // The client's own limiters delay or reject publishes when many wait.
    private readonly SemaphoreSlim _places = new(connection.Options.Throughput.MaxUnconfirmed);
    private readonly DelayQueues _delays = new(connection, time);
    private volatile IChannel? _channel;

    internal bool RejectsUnroutable => connection.Options.Poison.RejectUnroutable;

    /// <summary>Publishes and waits for the confirmation.</summary>
    /// <param name="address">The destination.</param>
    /// <param name="properties">The properties.</param>
    /// <param name="body">The bytes; they are not used when the task has completed.</param>
    /// <param name="delay">How long the message waits in a delay queue first; zero for not at all.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: no such exchange, or no queue for the routing key;
    /// <see cref="PostriderError.QueueFull"/>: a queue rejected the message; <see cref="PostriderError.Configuration"/>: the account;
    /// <see cref="PostriderError.TooLarge"/> or <see cref="PostriderError.Refused"/>: the server rejected the message;
    /// <see cref="PostriderError.Unavailable"/>: the server did not confirm it in all attempts.</exception>
    internal async ValueTask PublishAsync(RabbitMqAddress address, BasicProperties properties, ReadOnlyMemory<byte> body, TimeSpan delay, CancellationToken ct)
    {
        var policy = connection.Options.Retry.Policy;
        var pause = TimeSpan.Zero;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                var to = delay <= TimeSpan.Zero ? address : await _delays.OpenAsync(address, delay, ct).ConfigureAwait(false);
                var channel = await ChannelAsync(ct).ConfigureAwait(false);
                await PublishAsync(channel, to, RejectsUnroutable || delay > TimeSpan.Zero, properties, body, ct).ConfigureAwait(false);
                return;
            }
            catch (PublishReturnException returned)
            {
                _delays.Forget();
                throw new PostriderException(PostriderError.NoListener, NoRoute(address, returned.ReplyText), returned);
            }
            catch (PublishException refused)
            {
                throw new PostriderException(PostriderError.QueueFull, $"A queue at '{Text(address)}' rejected the message: it has reached its maximum length, or it is not available.", refused);
            }
            catch (OperationInterruptedException closed) when (closed.ShutdownReason?.ReplyCode is 404)
            {
                throw new PostriderException(PostriderError.NoListener, $"There is no exchange '{address.Exchange}' on transport '{RabbitMqTransport.TransportName}': {closed.ShutdownReason.ReplyText}", closed);
            }
            catch (OperationInterruptedException closed) when (closed.ShutdownReason?.ReplyCode is 403)
            {
                throw new PostriderException(PostriderError.Configuration, $"The account may not publish to '{Text(address)}': {closed.ShutdownReason.ReplyText}", closed);
            }
            catch (OperationInterruptedException closed) when (closed.ShutdownReason?.ReplyCode is PreconditionFailed && closed.ShutdownReason.ReplyText.Contains($"message size {body.Length} ", StringComparison.Ordinal))
            {
                throw new PostriderException(PostriderError.TooLarge, $"Message of {body.Length} bytes to '{Text(address)}' exceeds the server's limit: {closed.ShutdownReason.ReplyText}", closed);
            }
            catch (Exception lost) when (RabbitMqErrors.IsLost(lost) && !ct.IsCancellationRequested && !connection.IsDisposed)
            {
                if (!policy.TryPlan(lost, attempt, pause, out pause))
                    throw RejectionOf(lost, address) ?? new PostriderException(PostriderError.Unavailable, $"Message to '{Text(address)}': {connection.Describe(lost)}", lost);
                LogRepeated(connection.Logger, Text(address), attempt, connection.Describe(lost), connection.StackOf(lost));
            }

            if (pause > TimeSpan.Zero)
                await Task.Delay(pause, time, ct).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_channel is { } channel)
            await channel.DisposeAsync().ConfigureAwait(false);
    }

    internal static string Text(RabbitMqAddress address) => address.Exchange.Length == 0 ? address.RoutingKey : $"{address.Exchange}/{address.RoutingKey}";

    // After the last attempt: the reason is this message, and not another one that was sent over the channel.
    private static PostriderException? RejectionOf(Exception lost, RabbitMqAddress address)
        => lost is OperationInterruptedException { ShutdownReason: { ReplyCode: PreconditionFailed } reason }
            ? new(PostriderError.Refused, $"The server rejects the message to '{Text(address)}': {reason.ReplyText}", lost)
            : null;

    private static string NoRoute(RabbitMqAddress address, string reply)
        => address.Exchange.Length == 0
            ? $"There is no queue '{address.RoutingKey}' on transport '{RabbitMqTransport.TransportName}' ({reply})."
            : $"Exchange '{address.Exchange}' has no queue for routing key '{address.RoutingKey}' on transport '{RabbitMqTransport.TransportName}' ({reply}).";

    private async ValueTask PublishAsync(IChannel channel, RabbitMqAddress to, bool mandatory, BasicProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        await _places.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            await channel.BasicPublishAsync(to.Exchange, to.RoutingKey, mandatory, properties, body, ct).ConfigureAwait(false);
        }
        finally
        {
            _places.Release();
        }
    }

    private async ValueTask<IChannel> ChannelAsync(CancellationToken ct)
    {
        if (_channel is { IsOpen: true } open)
            return open;
        await _opening.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_channel is { IsOpen: true } opened)
                return opened;
            if (_channel is { } closed)
                await closed.DisposeAsync().ConfigureAwait(false);
            var options = new CreateChannelOptions(
                publisherConfirmationsEnabled: true,
                publisherConfirmationTrackingEnabled: true,
                outstandingPublisherConfirmationsRateLimiter: null);
            return _channel = await connection.OpenChannelAsync(options, ct).ConfigureAwait(false);
        }
        finally
        {
            _opening.Release();
        }
    }

    [LoggerMessage(2, LogLevel.Warning, "A publish to '{Destination}' was not confirmed (attempt {Attempt}) and will be repeated. {Reason}")]
    private static partial void LogRepeated(ILogger logger, string destination, int attempt, string reason, Exception? error);
}

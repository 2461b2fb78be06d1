using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Postrider.Transport.RabbitMq;

/// <summary>Collects messages from the server, and detects when it will deliver no more.</summary>
/// <remarks>Its channel is closed when the reader and the handlers of all its messages have released it.</remarks>
internal sealed class RabbitMqConsumer : AsyncDefaultBasicConsumer
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    // Limited by the prefetch.
    private readonly Channel<ArrivedMessage> _arrived = System.Threading.Channels.Channel.CreateUnbounded<ArrivedMessage>(new() { SingleReader = true });
    private readonly TaskCompletionSource _cancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile string? _ended;
    private string _tag = "";
    private int _users = 1;

    /// <param name="channel">The channel; it belongs to the consumer.</param>
    /// <param name="prefetch">The number of messages that the server delivers before one is settled.</param>
    internal RabbitMqConsumer(IChannel channel, int prefetch)
        : base(channel)
    {
        channel.ChannelShutdownAsync += OnShutdownAsync;
        Acknowledgements = new(channel, Math.Max(1, prefetch / 4));
    }

    internal RabbitMqAcknowledgements Acknowledgements { get; }

    internal ChannelReader<ArrivedMessage> Arrived => _arrived.Reader;

    internal bool IsAlive => _ended is null && Channel.IsOpen;

    internal string EndedBy => _ended ?? "its channel was closed";

    public override Task HandleBasicConsumeOkAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        _tag = consumerTag;
        return base.HandleBasicConsumeOkAsync(consumerTag, cancellationToken);
    }

    public override Task HandleBasicDeliverAsync(
        string consumerTag, ulong deliveryTag, bool redelivered, string exchange, string routingKey, IReadOnlyBasicProperties properties, ReadOnlyMemory<byte> body, CancellationToken cancellationToken = default)
    {
        _arrived.Writer.TryWrite(new ArrivedMessage(deliveryTag, redelivered, exchange, routingKey, new BasicProperties(properties), body.ToArray()));
        return Task.CompletedTask;
    }

    // Dispatched after all messages delivered before.
    public override Task HandleBasicCancelOkAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        _cancelled.TrySetResult();
        return base.HandleBasicCancelOkAsync(consumerTag, cancellationToken);
    }

    public override Task HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        End("the server cancelled it: the queue was deleted or moved");
        return base.HandleBasicCancelAsync(consumerTag, cancellationToken);
    }

    /// <summary>Tells the server to deliver no more messages. Those that have arrived remain to be settled.</summary>
    internal async ValueTask CancelAsync()
    {
        try
        {
            if (IsAlive && _tag.Length > 0)
            {
                await Channel.BasicCancelAsync(_tag).ConfigureAwait(false);
                await _cancelled.Task.WaitAsync(s_patience).ConfigureAwait(false);
            }
        }
        catch (Exception gone) when (RabbitMqErrors.IsLost(gone) || gone is RabbitMQClientException)
        {
            // The channel is already closed.
        }

        End("it was stopped");
    }

    /// <summary>Returns a message to its queue without having tried it. From RabbitMQ 4.3 on this is no attempt.</summary>
    internal async ValueTask ReturnAsync(ulong tag)
    {
        await Channel.BasicNackAsync(tag, multiple: false, requeue: true).ConfigureAwait(false);
        Acknowledgements.Settled(tag);
    }

    /// <summary>Returns a message to its queue after an attempt.</summary>
    internal async ValueTask RejectAsync(ulong tag)
    {
        await Channel.BasicRejectAsync(tag, requeue: true).ConfigureAwait(false);
        Acknowledgements.Settled(tag);
    }

    /// <summary>A handler has a message of it.</summary>
    internal void Use() => Interlocked.Increment(ref _users);

    /// <summary>The handler has settled its message, or the reader reads no more.</summary>
    internal async ValueTask ReleaseAsync()
    {
        if (Interlocked.Decrement(ref _users) > 0)
            return;
        Channel.ChannelShutdownAsync -= OnShutdownAsync;
        End("it was stopped");
        try
        {
            await Channel.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception gone) when (RabbitMqErrors.IsLost(gone) || gone is RabbitMQClientException)
        {
            // The channel is already closed.
        }
    }

    private Task OnShutdownAsync(object sender, ShutdownEventArgs reason)
    {
        End(reason.ReplyText);
        return Task.CompletedTask;
    }

    private void End(string reason)
    {
        _ended ??= reason;
        _arrived.Writer.TryComplete();
        _cancelled.TrySetResult();
    }
}

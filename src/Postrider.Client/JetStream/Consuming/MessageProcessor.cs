using Postrider.Client.Sessions;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>Passes messages to a handler, optionally several concurrently, and acknowledges them according to the outcome.</summary>
/// <param name="subscription">The subscription; started and disposed here.</param>
/// <param name="handler">The handler.</param>
/// <param name="options">The concurrency, and how failures are handled.</param>
/// <param name="naksUnread">Whether messages received but not handled are nak'ed at the end, so that they are redelivered at once.</param>
internal sealed class MessageProcessor<T>(ConsumerSubscription<T> subscription, Func<JetStreamMessage<T>, CancellationToken, ValueTask> handler, ProcessOptions options, bool naksUnread)
    : MessageLoop<JetStreamMessage<T>>(options.Concurrency, options.StartsInOrder)
{
    /// <summary>Runs until <paramref name="ct"/> is cancelled or the messages end.</summary>
    public async Task RunAsync(CancellationToken ct)
    {
        await using var ends = subscription.ConfigureAwait(false);
        if (ct.IsCancellationRequested) return;
        try
        {
            subscription.Start();
            await LoopAsync(ct, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            // The caller requested the end.
        }
    }

    public override bool IsWokenInline => subscription.Session.Options.ContinueOnReceiveThread;

    public override ValueTask<bool> WaitAsync(CancellationToken ct) => subscription.MoveNextAsync(ct);

    public override bool TryTake(out JetStreamMessage<T> message) => subscription.TryRead(out message);

    public override async ValueTask WorkAsync(JetStreamMessage<T> message, CancellationToken ct)
    {
        // The handler's own acknowledgement counts: acknowledging after its nak would lose the message.
        message = message.AnsweredOnce();
        using var heartbeat = options.InProgressInterval is { } interval ? message.KeepInProgress(interval) : null;
        using var activity = Telemetry.IsTracing ? Telemetry.StartProcess(message.Subject, message.Headers, message.SizeBytes) : null;
        try
        {
            await handler(message, ct).ConfigureAwait(false);
            await message.AckAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            Telemetry.Failed(activity, error);
            try
            {
                if (!ct.IsCancellationRequested) Tell(message, error);
            }
            finally
            {
                await message.NakAsync(options.RetryDelay?.Invoke(message.Metadata.DeliveryCount), CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    protected override ValueTask LeaveAsync() => naksUnread ? subscription.NakUnreadAsync() : subscription.UnsubscribeAsync();

    private void Tell(in JetStreamMessage<T> message, Exception error)
    {
        subscription.Session.Events.Tell(new ClientEvent(ClientEventKind.HandlerFailed, Subject: message.Subject, Error: error), isRepeated: message.Metadata.DeliveryCount > 1);
        options.Failed?.Invoke(message.Metadata, error);
    }
}

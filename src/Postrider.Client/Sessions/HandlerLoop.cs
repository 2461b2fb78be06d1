
namespace Postrider.Client.Sessions;

/// <summary>Reads a subscription and calls a handler, for one message at a time or several.</summary>
internal sealed class HandlerLoop<T>(NatsSubscription<T> subscription, Func<NatsMessage<T>, CancellationToken, ValueTask> handler, int concurrency, bool startsInOrder = false)
    : MessageLoop<NatsMessage<T>>(concurrency, startsInOrder)
{
    /// <summary>Runs until the subscription ends and the last handler has returned.</summary>
    /// <param name="abandoned">Cancelled when the subscription ends without waiting for its handlers.</param>
    /// <returns>Completes when no handler runs any more.</returns>
    public async Task RunAsync(CancellationToken abandoned)
    {
        try
        {
            await LoopAsync(CancellationToken.None, abandoned).ConfigureAwait(false);
        }
        catch (NatsClientException)
        {
            // The subscription was rejected: the client's events have reported it.
        }
    }

    public override bool IsWokenInline => subscription.Session.Options.ContinueOnReceiveThread;

    public override ValueTask<bool> WaitAsync(CancellationToken ct) => subscription.MoveNextAsync(ct);

    public override bool TryTake(out NatsMessage<T> message) => subscription.TryRead(out message);

    public override async ValueTask WorkAsync(NatsMessage<T> message, CancellationToken ct)
    {
        using var activity = Telemetry.IsTracing ? Telemetry.StartProcess(message.Subject, message.Headers, message.SizeBytes) : null;
        try
        {
            await handler(message, ct).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            Telemetry.Failed(activity, error);
            subscription.Session.Events.Tell(new ClientEvent(ClientEventKind.HandlerFailed, Subject: message.Subject, Error: error));
        }
    }
}

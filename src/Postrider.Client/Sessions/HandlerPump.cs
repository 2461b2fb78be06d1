using Postrider.Client.Errors;

namespace Postrider.Client.Sessions;

/// <summary>Reads a subscription and calls a handler, one message at a time or several.</summary>
internal sealed class HandlerPump<T>(NatsSubscription<T> subscription, Func<NatsMessage<T>, CancellationToken, ValueTask> handler, int concurrency)
{
    /// <summary>Runs until the subscription ends and the last handler has returned.</summary>
    /// <param name="abandoned">Cancelled when the subscription ends without waiting for its handlers.</param>
    /// <returns>Done when nothing runs any more.</returns>
    public async Task RunAsync(CancellationToken abandoned)
    {
        using var room = concurrency > 1 ? new SemaphoreSlim(concurrency) : null;
        try
        {
            while (await subscription.MoveNextAsync(CancellationToken.None).ConfigureAwait(false))
            {
                while (subscription.TryRead(out var message))
                {
                    if (room is null)
                    {
                        await HandleAsync(message, abandoned).ConfigureAwait(false);
                        continue;
                    }
                    await room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
                    _ = HandleAndLeaveAsync(message, room, abandoned);
                }
            }
        }
        catch (NatsClientException)
        {
            // The subscription was refused: the client's events have told it.
        }
        for (var i = 0; room is not null && i < concurrency; i++) await room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
    }

    private async Task HandleAndLeaveAsync(NatsMessage<T> message, SemaphoreSlim room, CancellationToken ct)
    {
        // Leaves the reading loop at once, also when the handler does not.
        await Task.Yield();
        try
        {
            await HandleAsync(message, ct).ConfigureAwait(false);
        }
        finally
        {
            room.Release();
        }
    }

    private async ValueTask HandleAsync(NatsMessage<T> message, CancellationToken ct)
    {
        using var activity = Telemetry.IsTracing ? Telemetry.StartProcess(message.Subject, message.Headers, message.SizeBytes) : null;
        try
        {
            await handler(message, ct).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            activity?.SetStatus(System.Diagnostics.ActivityStatusCode.Error, error.Message);
            subscription.Session.Events.Tell(new ClientEvent(ClientEventKind.HandlerFailed, Subject: message.Subject, Error: error));
        }
    }
}

using Postrider.Client.Sessions;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>Gives messages to a handler, several at once if asked, and answers them by how that went.</summary>
internal sealed class MessageProcessor<T>(Session session, Func<JetStreamMessage<T>, CancellationToken, ValueTask> handler, ProcessOptions options)
{
    /// <summary>Runs until <paramref name="ct"/> is cancelled or the messages end.</summary>
    public async Task RunAsync(IAsyncEnumerable<JetStreamMessage<T>> messages, CancellationToken ct)
    {
        using var room = new SemaphoreSlim(options.Concurrency);
        try
        {
            await foreach (var message in messages.WithCancellation(ct).ConfigureAwait(false))
            {
                if (options.Concurrency == 1)
                {
                    await HandleAsync(message, ct).ConfigureAwait(false);
                    continue;
                }
                await room.WaitAsync(ct).ConfigureAwait(false);
                _ = HandleAndLeaveAsync(message, room, ct);
            }
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            // The caller asked for the end.
        }
        finally
        {
            for (var i = 0; i < options.Concurrency; i++) await room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    private async Task HandleAndLeaveAsync(JetStreamMessage<T> message, SemaphoreSlim room, CancellationToken ct)
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

    private async ValueTask HandleAsync(JetStreamMessage<T> message, CancellationToken ct)
    {
        using var heartbeat = options.InProgressInterval is { } interval ? message.KeepInProgress(interval) : null;
        using var activity = Telemetry.IsTracing ? Telemetry.StartProcess(message.Subject, message.Headers, message.SizeBytes) : null;
        try
        {
            await handler(message, ct).ConfigureAwait(false);
            await message.AckAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            activity?.SetStatus(System.Diagnostics.ActivityStatusCode.Error, error.Message);
            if (!ct.IsCancellationRequested) Tell(message, error);
            await message.NakAsync(options.RetryDelay?.Invoke(message.Metadata.DeliveryCount), CancellationToken.None).ConfigureAwait(false);
        }
    }

    private void Tell(in JetStreamMessage<T> message, Exception error)
    {
        session.Events.Tell(new ClientEvent(ClientEventKind.HandlerFailed, Subject: message.Subject, Error: error));
        options.Failed?.Invoke(message.Metadata, error);
    }
}

using Postrider.Client;

namespace Postrider.CommandLine.Verbs;

/// <summary>Collects the server's rejections of published messages: the server reports them later, beside the publishes.</summary>
internal sealed class RejectedPublishes
{
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private NatsClientException? _first;
    private bool _isLost;
    private long _count;

    internal RejectedPublishes(NatsClient client) => client.EventOccurred += OnEvent;

    /// <summary>Waits until the server has received all messages and reported all rejections, and closes the client.</summary>
    /// <param name="client">The client that published them.</param>
    /// <param name="messages">How many were published.</param>
    /// <param name="patience">How long to wait for the server.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <exception cref="NatsClientException">The server rejected messages, or the connection was lost.</exception>
    internal async Task FlushAsync(NatsClient client, long messages, TimeSpan patience, CancellationToken ct)
    {
        // The server's reply to a PING means that it has received everything, and has sent its errors before.
        await client.FlushAsync(ct).WaitAsync(patience, ct);
        await client.DisposeAsync();
        // This is the last event: all others have been handled.
        await _closed.Task.WaitAsync(patience, ct);
        if (_first is not { } error)
        {
            if (_isLost) throw new NatsClientException(NatsErrorCode.ConnectionLost, "The connection was lost meanwhile, and messages may be lost with it. Use --jetstream to wait for acknowledgments.");
            return;
        }
        var what = messages == 1 ? "The message was" : _count >= messages ? $"All {messages} messages were" : $"{_count} of {messages} messages were";
        throw new NatsClientException(error.Code, $"{what} not accepted. {error.Message}", error);
    }

    private void OnEvent(ClientEvent happened)
    {
        if (happened is { Kind: ClientEventKind.PermissionDenied or ClientEventKind.ServerError, Error: NatsClientException error })
        {
            _first ??= error;
            _count++;
        }

        if (happened.Kind == ClientEventKind.Disconnected) _isLost = true;
        if (happened.Kind == ClientEventKind.Closed) _closed.TrySetResult();
    }
}

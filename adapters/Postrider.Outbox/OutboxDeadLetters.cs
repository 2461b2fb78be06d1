using System.Runtime.CompilerServices;

namespace Postrider.Outbox;

/// <summary>The messages that the relay could not send.</summary>
/// <remarks>Registered as a singleton. Thread-safe.</remarks>
public sealed class OutboxDeadLetters
{
    private const int PageSize = 20;

    private readonly OutboxStore _store;
    private readonly OutboxSignal _signal;

    internal OutboxDeadLetters(OutboxStore store, OutboxSignal signal) => (_store, _signal) = (store, signal);

    /// <summary>Lists dead letters, the oldest first.</summary>
    /// <param name="ct">Cancels the list.</param>
    /// <returns>The rows, with <see cref="OutboxMessage.Error"/>.</returns>
    public async IAsyncEnumerable<OutboxMessage> ListAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        var after = 0L;
        while (true)
        {
            List<OutboxMessage> page;
            var open = await _store.OpenAsync(ct).ConfigureAwait(false);
            await using (open.ConfigureAwait(false))
            {
                var command = open.Connection.Command(null, _store.Text.ListDead, ("after", after), ("max", PageSize));
                await using (command.ConfigureAwait(false))
                    page = await command.ReadMessagesAsync(int.MaxValue, ct).ConfigureAwait(false);
            }

            foreach (var message in page)
                yield return message;
            if (page.Count < PageSize)
                yield break;
            after = page[^1].Sequence;
        }
    }

    /// <summary>Makes a dead letter ready again, with all its attempts, at its original position.</summary>
    /// <param name="message">A listed message.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>False if it is no longer a dead letter.</returns>
    public async ValueTask<bool> RedriveAsync(OutboxMessage message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        var isDone = await ExecuteAsync(_store.Text.RedriveDead, message, ct).ConfigureAwait(false);
        _signal.Set();
        return isDone;
    }

    /// <summary>Removes a dead letter.</summary>
    /// <param name="message">A listed message.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>False if it is no longer a dead letter.</returns>
    public async ValueTask<bool> PurgeAsync(OutboxMessage message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        var isDone = await ExecuteAsync(_store.Text.PurgeDead, message, ct).ConfigureAwait(false);
        _signal.Set();
        return isDone;
    }

    private async ValueTask<bool> ExecuteAsync(string text, OutboxMessage message, CancellationToken ct)
    {
        var open = await _store.OpenAsync(ct).ConfigureAwait(false);
        await using (open.ConfigureAwait(false))
            return await open.Connection.ExecuteAsync(null, text, [("seq", message.Sequence)], ct).ConfigureAwait(false) > 0;
    }
}

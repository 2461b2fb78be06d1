namespace Postrider.Outbox;

/// <summary>A scope's part of the outbox: writes messages and inbox rows into the scope's transaction.</summary>
/// <remarks>Registered per scope by <c>UseDataSource</c> and <c>UseDbContext</c>. Not thread-safe beside other work on the same
/// connection.</remarks>
public interface IOutboxSession
{
    /// <summary>Writes a message into the scope's transaction; the relay sends it after the commit.</summary>
    /// <param name="message">The row.</param>
    /// <param name="ct">Cancels the write.</param>
    /// <returns>Completes when it is part of the transaction.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the scope has no transaction.</exception>
    ValueTask AddAsync(OutboxMessage message, CancellationToken ct);

    /// <summary>Removes a scheduled message: in the scope's transaction if it has one, otherwise immediately.</summary>
    /// <param name="id">The message's identity.</param>
    /// <param name="ct">Cancels the removal.</param>
    /// <returns>False if there is none, or if it is due.</returns>
    ValueTask<bool> CancelAsync(string id, CancellationToken ct);

    /// <summary>Handles a message in a transaction of the scope whose first row records that it was handled, and commits.</summary>
    /// <param name="consumer">The consumer that handles it.</param>
    /// <param name="id">The message's identity.</param>
    /// <param name="handle">Handles the message. An exception rolls everything back.</param>
    /// <param name="ct">Cancels the handling.</param>
    /// <returns>False if it was handled before: <paramref name="handle"/> was not called.</returns>
    ValueTask<bool> HandleOnceAsync(string consumer, string id, Func<CancellationToken, ValueTask> handle, CancellationToken ct);
}

namespace Postrider.ClaimChecks;

/// <summary>Keeps the bodies of messages that are too large for their transport.</summary>
/// <remarks>Thread-safe. A store removes bodies by itself after a time, which is longer than any message may wait.</remarks>
public interface IClaimStore
{
    /// <summary>Stores a body.</summary>
    /// <param name="id">Its id: 64 lower-case hexadecimal digits. An existing body with this id is replaced: it is the same.</param>
    /// <param name="body">The bytes; they may be reused when the task completes.</param>
    /// <param name="ct">Cancels the write.</param>
    /// <returns>Completes when the body is stored as safely as the messages are.</returns>
    ValueTask PutAsync(string id, ReadOnlyMemory<byte> body, CancellationToken ct);

    /// <summary>Reads a body.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="maxBytes">The largest body that may be read.</param>
    /// <param name="ct">Cancels the read.</param>
    /// <returns>The bytes; null if there is no such body.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.TooLarge"/>: the body has more than <paramref name="maxBytes"/>.</exception>
    ValueTask<ReadOnlyMemory<byte>?> GetAsync(string id, int maxBytes, CancellationToken ct);

    /// <summary>Removes a body. Does nothing if it does not exist.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="ct">Cancels the removal.</param>
    /// <returns>Completes when it is removed.</returns>
    ValueTask RemoveAsync(string id, CancellationToken ct);
}

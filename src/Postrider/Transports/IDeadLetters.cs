namespace Postrider.Transports;

/// <summary>The dead letters of one destination, over any transport: to list, to send back, to remove.</summary>
/// <remarks>Opened by <see cref="ITransport.OpenDeadLetters"/>. Thread-safe. Two redrives at the same time may send a message back
/// twice.</remarks>
public interface IDeadLetters
{
    /// <summary>The destination: <see cref="AtLeastOnceBinding.DeadLetter"/> of a binding.</summary>
    string Source { get; }

    /// <summary>Lists dead letters, the oldest first. They stay.</summary>
    /// <param name="query">Which ones.</param>
    /// <param name="ct">Ends the list.</param>
    /// <returns>The messages with their headers and bodies.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: no store keeps them.</exception>
    IAsyncEnumerable<DeadLetterMessage> ListAsync(DeadLetterQuery query, CancellationToken ct = default);

    /// <summary>Sends dead letters back to the destination where they failed, as first attempts.</summary>
    /// <param name="query">Which ones; <see cref="DeadLetterQuery.Pace"/> is the pause between two.</param>
    /// <param name="ct">Ends the work; each message is either here or there.</param>
    /// <returns>The number that was sent back. One without its original destination is kept.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>, <see cref="PostriderError.TooLarge"/> or
    /// <see cref="PostriderError.Configuration"/>: no store keeps messages at the destination of one, or it is rejected there. It is kept, and
    /// the exception is thrown when the others have been sent.</exception>
    ValueTask<long> RedriveAsync(DeadLetterQuery query, CancellationToken ct = default);

    /// <summary>Removes dead letters permanently.</summary>
    /// <param name="query">Which ones.</param>
    /// <param name="ct">Ends the work.</param>
    /// <returns>The number that was removed.</returns>
    ValueTask<long> PurgeAsync(DeadLetterQuery query, CancellationToken ct = default);
}

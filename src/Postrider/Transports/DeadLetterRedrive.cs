using System.Globalization;

namespace Postrider.Transports;

/// <summary>Sends the dead letters of one source back, one after another. One that no destination accepts stays, and the others go on.</summary>
/// <param name="source">The destination of the dead letters, for the text of the exception.</param>
/// <param name="pace">The pause between two; zero for none.</param>
/// <param name="time">The clock of the pause.</param>
/// <remarks>Used by transports: one for each call of <see cref="IDeadLetters.RedriveAsync"/>. Not thread-safe.</remarks>
public sealed class DeadLetterRedrive(string source, TimeSpan pace, TimeProvider time)
{
    private long _sent;
    private long _kept;
    private (string Id, PostriderException Error)? _first;

    /// <summary>Sends one, after the pause.</summary>
    /// <param name="letter">The dead letter.</param>
    /// <param name="send">Sends it; completes when it is stored where it failed.</param>
    /// <param name="ct">Ends the pause.</param>
    /// <returns>True if it was sent and can be removed; false if it stays, because the destination does not exist, or rejects it as too large
    /// or as not valid.</returns>
    /// <exception cref="PostriderException">Any other failure of <paramref name="send"/>, which would be that of the next ones too; the
    /// same applies to its other exceptions.</exception>
    public async ValueTask<bool> TrySendAsync(DeadLetterMessage letter, Func<DeadLetterMessage, ValueTask> send, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(letter);
        ArgumentNullException.ThrowIfNull(send);
        if (_sent > 0 && pace > TimeSpan.Zero)
            await Task.Delay(pace, time, ct).ConfigureAwait(false);
        try
        {
            await send(letter).ConfigureAwait(false);
            _sent++;
            return true;
        }
        catch (PostriderException refused) when (refused.Error is PostriderError.NoListener or PostriderError.TooLarge or PostriderError.Configuration)
        {
            _kept++;
            _first ??= (letter.Id, refused);
            return false;
        }
    }

    /// <summary>Reports those that stayed.</summary>
    /// <exception cref="PostriderException">At least one stayed: the kind is that of the first one, and the text gives its id and its
    /// reason.</exception>
    public void ThrowIfAnyStayed()
    {
        if (_first is var (id, error))
            throw new PostriderException(error.Error, string.Create(CultureInfo.InvariantCulture, $"Not all dead letters of '{source}' could be sent back (sent back: {_sent}, left: {_kept}). The first that is left is {id}: {error.Message}"), error);
    }
}

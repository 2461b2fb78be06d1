using System.Globalization;

namespace Postrider.Transports;

/// <summary>Sends dead letters back one after another. A dead letter that its destination does not accept is kept, and the others are
/// sent.</summary>
/// <remarks>Used by transports for <see cref="IDeadLetters.RedriveAsync"/>.</remarks>
public sealed class DeadLetterRedrive
{
    private readonly TimeSpan _pace;
    private readonly TimeProvider _time;
    private readonly Func<DeadLetterMessage, ValueTask> _send;
    private long _sent;
    private long _kept;
    private (string Id, PostriderException Error)? _first;

    private DeadLetterRedrive(TimeSpan pace, TimeProvider time, Func<DeadLetterMessage, ValueTask> send) => (_pace, _time, _send) = (pace, time, send);

    /// <summary>Sends the dead letters of a query back.</summary>
    /// <param name="letters">The source, for the text of the exception.</param>
    /// <param name="query">The query; <see cref="DeadLetterQuery.Pace"/> is the pause between two dead letters.</param>
    /// <param name="time">The clock of the pause.</param>
    /// <param name="send">Sends one dead letter; completes when it is stored where it failed. A <see cref="PostriderException"/> with
    /// <see cref="PostriderError.NoListener"/>, <see cref="PostriderError.TooLarge"/> or <see cref="PostriderError.Configuration"/> keeps this
    /// dead letter; any other exception ends the redrive, because the next dead letters would fail in the same way.</param>
    /// <param name="take">Calls the function that it is given for each selected dead letter, removes those for which it returns true, and
    /// returns their number.</param>
    /// <param name="ct">Ends the pause between two dead letters.</param>
    /// <returns>The result of <paramref name="take"/>.</returns>
    /// <exception cref="PostriderException">At least one dead letter was kept: the kind is that of the first one, and the text has its id and
    /// its reason.</exception>
    public static async ValueTask<long> RunAsync(
        IDeadLetters letters,
        DeadLetterQuery query,
        TimeProvider time,
        Func<DeadLetterMessage, ValueTask> send,
        Func<Func<DeadLetterMessage, ValueTask<bool>>, ValueTask<long>> take,
        CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(letters);
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(send);
        ArgumentNullException.ThrowIfNull(take);
        var redrive = new DeadLetterRedrive(query.Pace, time, send);
        var count = await take(letter => redrive.TrySendAsync(letter, ct)).ConfigureAwait(false);
        return redrive._first is var (id, error)
            ? throw new PostriderException(error.Error, string.Create(CultureInfo.InvariantCulture, $"Not all dead letters of '{letters.Source}' could be sent back (sent back: {redrive._sent}, left: {redrive._kept}). The first that is left is {id}: {error.Message}"), error)
            : count;
    }

    private async ValueTask<bool> TrySendAsync(DeadLetterMessage letter, CancellationToken ct)
    {
        if (_sent > 0 && _pace > TimeSpan.Zero)
            await Task.Delay(_pace, _time, ct).ConfigureAwait(false);
        try
        {
            await _send(letter).ConfigureAwait(false);
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
}

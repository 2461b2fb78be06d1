using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>The keys of a listener that have dead letters, behind which their later messages wait.</summary>
/// <remarks>Thread-safe; messages of one key are asked about one after the other. Dead letters are known because this process stored them, and
/// from the list of all, which is read at the first message and again before a message is put behind one.</remarks>
internal sealed class BlockedKeys(IDeadLetters stored, TimeProvider time, CancellationToken stop)
{
    // Lists are at least that far apart, and take at most a tenth of the time.
    private static readonly TimeSpan s_minPause = TimeSpan.FromMilliseconds(100);

    // A store may list a dead letter some time after it has accepted it.
    private static readonly TimeSpan s_unlisted = TimeSpan.FromSeconds(2);

    // Without a list nothing else ends them; no list takes that long.
    private static readonly TimeSpan s_old = TimeSpan.FromMinutes(5);

    private readonly Lock _changing = new(); // guards the fields below
    private readonly List<(long At, Letter Letter)> _recent = []; // stored by this process, maybe not listed yet; the oldest first
    private readonly HashSet<string> _handled = new(StringComparer.Ordinal); // redriven, handled, and maybe still listed
    private Dictionary<Key, Letters> _keys = [];
    private Task? _reading;
    private TimeSpan _pause;
    private long _readAt;
    private bool _isRead;

    /// <summary>Whether a message has to wait behind a dead letter of its key.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="headers">Its headers.</param>
    /// <returns>A message that was redriven waits only for one that failed: those behind it are sent back in their order.</returns>
    internal async ValueTask<bool> IsBehindAsync(Key key, Headers headers)
    {
        var (id, isRedriven) = (IdOf(headers), headers[DeadLetterHeaders.Redriven] is not null);
        Task reading;
        lock (_changing)
        {
            if (_isRead && !IsBehind(key, id, isRedriven))
                return false;
            reading = _isRead && time.GetElapsedTime(_readAt) < _pause ? Task.CompletedTask : _reading ??= ReadAsync();
        }

        await reading.ConfigureAwait(false);
        lock (_changing)
            return IsBehind(key, id, isRedriven);
    }

    /// <summary>The message has become a dead letter.</summary>
    internal void Block(Key key, Headers headers, DeadLetterReason reason)
    {
        var letter = new Letter(key, IdOf(headers), reason == DeadLetterReason.BehindDeadLetter);
        lock (_changing)
        {
            _handled.Remove(letter.Id);
            Forget(time.GetTimestamp(), s_old);
            _recent.Add((time.GetTimestamp(), letter));
            Add(_keys, letter);
        }
    }

    /// <summary>The message was handled.</summary>
    internal void Unblock(Key key, Headers headers)
    {
        lock (_changing)
        {
            if (!_keys.TryGetValue(key, out var letters))
                return;
            var id = IdOf(headers);
            _handled.Add(id);
            _recent.RemoveAll(recent => string.Equals(recent.Letter.Id, id, StringComparison.Ordinal));
            letters.Failed.Remove(id);
            letters.Behind.Remove(id);
            if (letters is { Failed.Count: 0, Behind.Count: 0 })
                _keys.Remove(key);
        }
    }

    private static string IdOf(Headers headers) => headers[HeaderNames.MessageId] ?? "";

    private static void Add(Dictionary<Key, Letters> keys, Letter letter)
    {
        if (!keys.TryGetValue(letter.Key, out var letters))
            keys.Add(letter.Key, letters = new());
        if (letter.IsBehind)
        {
            letters.Failed.Remove(letter.Id);
            letters.Behind.Add(letter.Id);
        }
        else
        {
            letters.Behind.Remove(letter.Id);
            if (!letters.Failed.Contains(letter.Id))
                letters.Failed.Add(letter.Id);
        }
    }

    private bool IsBehind(Key key, string id, bool isRedriven)
        => _keys.TryGetValue(key, out var letters)
            // The message itself may have failed before.
            && (letters.Failed is [var first, ..] ? !string.Equals(first, id, StringComparison.Ordinal) : !isRedriven);

    private async Task ReadAsync()
    {
        // The caller keeps the task before it ends.
        await Task.Yield();
        try
        {
            var began = time.GetTimestamp();
            List<Letter> listed = [];
            await foreach (var letter in stored.ListAsync(DeadLetterQuery.All, stop).ConfigureAwait(false))
            {
                if (letter.Headers[HeaderNames.Key] is { Length: > 0 } key)
                    listed.Add(new(new(letter.Headers[DeadLetterHeaders.Stream], letter.Headers[DeadLetterHeaders.Consumer], key), IdOf(letter.Headers), letter.Reason == DeadLetterReason.BehindDeadLetter));
            }

            Replace(listed, began);
        }
        finally
        {
            lock (_changing)
                _reading = null;
        }
    }

    private void Replace(List<Letter> listed, long began)
    {
        var keys = new Dictionary<Key, Letters>();
        lock (_changing)
        {
            _handled.IntersectWith(listed.Select(static letter => letter.Id));
            Forget(began, s_unlisted);
            foreach (var letter in listed.Concat(_recent.Select(static recent => recent.Letter)))
            {
                if (!_handled.Contains(letter.Id))
                    Add(keys, letter);
            }

            _keys = keys;
            (_isRead, _readAt, _pause) = (true, time.GetTimestamp(), s_minPause + 9 * time.GetElapsedTime(began));
        }
    }

    private void Forget(long now, TimeSpan age)
    {
        var count = 0;
        while (count < _recent.Count && time.GetElapsedTime(_recent[count].At, now) > age)
            count++;
        _recent.RemoveRange(0, count);
    }

    /// <summary>A key within what delivers it: dead letters of several sources may be in one place.</summary>
    /// <param name="Store">The stream or queue.</param>
    /// <param name="Consumer">The consumer.</param>
    /// <param name="Text">The key.</param>
    internal readonly record struct Key(string? Store, string? Consumer, string Text);

    private readonly record struct Letter(Key Key, string Id, bool IsBehind);

    /// <summary>The ids of a key's dead letters: those that failed, the oldest first, and those behind them.</summary>
    private sealed class Letters
    {
        internal List<string> Failed { get; } = [];

        internal HashSet<string> Behind { get; } = new(StringComparer.Ordinal);
    }
}

using System.Diagnostics.CodeAnalysis;

namespace Postrider.Broker.Hosting;

/// <summary>Items of several accounts that take turns, so that many of one account do not delay or displace another's.</summary>
/// <remarks>Thread-safe.</remarks>
/// <param name="max">Maximum number of waiting items. When that many wait, an account may still add up to an equal share of them.</param>
/// <typeparam name="T">The type of the items.</typeparam>
internal sealed class AccountTurns<T>(int max)
{
    // Guards everything below; nothing is called while it is held.
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Queue<T>> _lines = new(StringComparer.Ordinal);
    private readonly Queue<string> _turns = [];
    private int _count;

    /// <summary>Adds an item.</summary>
    /// <param name="account">The account's name.</param>
    /// <param name="item">The item.</param>
    /// <returns>False when too many wait.</returns>
    public bool TryAdd(string account, T item)
    {
        lock (_gate)
        {
            var isNew = !_lines.TryGetValue(account, out var line);
            line ??= new Queue<T>();
            var accounts = isNew ? _lines.Count + 1 : _lines.Count;
            if (_count >= max && line.Count >= Math.Max(1, max / accounts)) return false;
            if (isNew)
            {
                _lines.Add(account, line);
                _turns.Enqueue(account);
            }
            line.Enqueue(item);
            _count++;
            return true;
        }
    }

    /// <summary>Takes the oldest item of the account whose turn it is.</summary>
    /// <returns>False when none waits.</returns>
    public bool TryTake([MaybeNullWhen(false)] out T item)
    {
        lock (_gate)
        {
            item = default;
            if (!_turns.TryDequeue(out var account)) return false;
            var line = _lines[account];
            item = line.Dequeue();
            _count--;
            if (line.Count == 0) _lines.Remove(account);
            else _turns.Enqueue(account);
            return true;
        }
    }
}

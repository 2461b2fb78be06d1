using Postrider.Storage;

namespace Postrider.UnitTests.Storage;

/// <summary>The rules of a store in the plainest code: what the model test compares with.</summary>
internal sealed class ReferenceStore
{
    public SortedDictionary<ulong, ReferenceMessage> Messages { get; } = [];

    public ulong First { get; set; } = 1;

    public ulong Last { get; set; }

    public StoreLimits Limits { get; set; }

    public bool IsFile { get; init; }

    public long Bytes => Messages.Values.Sum(Reported);

    public ReferenceStore Copy()
    {
        var copy = new ReferenceStore { First = First, Last = Last, Limits = Limits, IsFile = IsFile };
        foreach (var (sequence, message) in Messages)
        {
            copy.Messages.Add(sequence, message);
        }

        return copy;
    }

    public void Append(ReferenceMessage message)
    {
        Last++;
        if (Messages.Count == 0)
        {
            First = Last;
        }

        Messages.Add(Last, message);
        Enforce();
    }

    public void Enforce()
    {
        if (Limits.MaxMessagesPerSubject > 0)
        {
            foreach (var subject in Messages.Values.Select(m => m.Subject).Distinct().ToList())
            {
                var own = Messages.Where(m => m.Value.Subject == subject).Select(m => m.Key).ToList();
                own.SkipLast((int)Limits.MaxMessagesPerSubject).ToList().ForEach(s => Remove(s));
            }
        }

        while ((Limits.MaxMessages > 0 && Messages.Count > Limits.MaxMessages) || (Limits.MaxBytes > 0 && Bytes > Limits.MaxBytes))
        {
            Remove(Messages.First().Key);
        }
    }

    public bool Remove(ulong sequence)
    {
        var removed = Messages.Remove(sequence);
        if (removed && sequence == First)
        {
            First = Messages.Count == 0 ? Last + 1 : Messages.First().Key;
        }

        return removed;
    }

    public long PurgeAll(ulong next)
    {
        var count = Messages.Count;
        Messages.Clear();
        First = next;
        Last = next - 1;
        return count;
    }

    public long PurgeBefore(ulong sequence)
    {
        if (sequence > Last)
        {
            return First > sequence ? 0 : PurgeAll(sequence);
        }

        return Messages.Keys.Where(s => s < sequence).ToList().Count(Remove);
    }

    public long Purge(string filter, ulong before, long keep)
    {
        var matching = Matching(filter).ToList();
        var most = keep > 0 ? Math.Max(0, matching.Count - (int)keep) : matching.Count;
        return matching.Where(s => before == 0 || s < before).Take(most).ToList().Count(Remove);
    }

    public void SkipTo(ulong last)
    {
        Last = last;
        if (Messages.Count == 0)
        {
            First = last + 1;
        }
    }

    public void Truncate(ulong last)
    {
        Messages.Keys.Where(s => s > last).ToList().ForEach(s => Messages.Remove(s));
        Last = last;
        if (Messages.Count == 0)
        {
            First = last + 1;
        }
    }

    public IEnumerable<ulong> Matching(string filter)
        => Messages.Where(m => Covers(filter, m.Value.Subject)).Select(m => m.Key);

    public long Reported(ReferenceMessage message)
        => IsFile
            ? 30 + message.Subject.Length + message.Payload.Length + (message.Headers.Length > 0 ? 4 + message.Headers.Length : 0)
            : 16 + message.Subject.Length + message.Payload.Length + message.Headers.Length;

    private static bool Covers(string filter, string subject)
    {
        var f = filter.Split('.');
        var s = subject.Split('.');
        for (var i = 0; i < f.Length; i++)
        {
            if (f[i] == ">")
            {
                return s.Length > i;
            }

            if (i >= s.Length || (f[i] != "*" && f[i] != s[i]))
            {
                return false;
            }
        }

        return f.Length == s.Length;
    }
}

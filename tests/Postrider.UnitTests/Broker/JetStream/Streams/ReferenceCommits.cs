namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>What a stream holds that knows acknowledged operations only: small enough to be copied before each operation.</summary>
internal sealed class ReferenceCommits
{
    public SortedDictionary<ulong, ReferenceCommit> Messages { get; private init; } = [];

    public Dictionary<string, ulong> Ids { get; private init; } = [];

    // Schedules that a newer message of their subject had ended, and whose newer message was deleted: a stream knows them again
    // when it is read.
    private HashSet<ulong> Revived { get; init; } = [];

    public ulong Last { get; set; }

    public string LastId { get; set; } = "";

    public int MaxMessages { get; init; }

    public int MaxPerSubject { get; init; }

    /// <summary>When the next schedule is due that is its subject's newest message, seconds; the largest number for none.</summary>
    public long NextSchedule => Next(static _ => true);

    /// <summary>The same without those that came back when a newer message was deleted.</summary>
    public long NextKnownSchedule => Next(sequence => !Revived.Contains(sequence));

    public ReferenceCommits Copy() => new()
    {
        Messages = new SortedDictionary<ulong, ReferenceCommit>(Messages),
        Ids = new Dictionary<string, ulong>(Ids),
        Last = Last,
        LastId = LastId,
        MaxMessages = MaxMessages,
        MaxPerSubject = MaxPerSubject,
        Revived = [.. Revived],
    };

    /// <summary>A message is deleted.</summary>
    public void Delete(ulong sequence)
    {
        var subject = Messages[sequence].Subject;
        var isNewest = LastOf(subject) == sequence;
        Messages.Remove(sequence);
        if (isNewest && LastOf(subject) is var newest and > 0) Revived.Add(newest);
    }

    /// <summary>The stream looked for its schedules among its messages.</summary>
    public void SchedulesWereRead() => Revived.Clear();

    /// <summary>The newest sequence of a subject, or 0.</summary>
    public ulong LastOf(string subject) => Messages.Where(pair => pair.Value.Subject == subject).Select(static pair => pair.Key).LastOrDefault();

    /// <summary>The sum of a counter.</summary>
    public long SumOf(string subject) => LastOf(subject) is var last and > 0 ? Messages[last].Sum : 0;

    /// <summary>Stores a message. One alone pushes others over the limits before it replaces any; of a batch nothing goes before all is there.</summary>
    public ulong Store(ReferenceCommit message, string? id, string? rollup, bool isAlone)
    {
        Messages[++Last] = message;
        LastId = id ?? "";
        if (id is not null) Ids[id] = Last;
        if (isAlone) Enforce();
        if (rollup is not null || message.At > 0) Remove((sequence, other) => sequence < Last && (rollup == "all" || other.Subject == message.Subject));
        return Last;
    }

    public void Enforce()
    {
        foreach (var group in Messages.GroupBy(static pair => pair.Value.Subject).ToArray())
            foreach (var (sequence, _) in group.SkipLast(MaxPerSubject)) Messages.Remove(sequence);
        while (Messages.Count > MaxMessages) Messages.Remove(Messages.Keys.First());
    }

    public int Remove(Func<ulong, ReferenceCommit, bool> filter)
    {
        var gone = Messages.Where(pair => filter(pair.Key, pair.Value)).Select(static pair => pair.Key).ToArray();
        foreach (var sequence in gone) Messages.Remove(sequence);
        return gone.Length;
    }

    /// <summary>The stream is read from the disk: what is known of ids is what its messages say.</summary>
    public void Restart()
    {
        foreach (var (id, sequence) in Ids.ToArray())
            if (!Messages.ContainsKey(sequence)) Ids.Remove(id);
        LastId = Ids.FirstOrDefault(pair => pair.Value == Last).Key ?? "";
        SchedulesWereRead();
    }

    private long Next(Func<ulong, bool> isKnown)
        => Messages.GroupBy(static pair => pair.Value.Subject).Select(static group => group.Last())
            .Where(pair => pair.Value.At > 0 && isKnown(pair.Key)).Select(static pair => pair.Value.At).DefaultIfEmpty(long.MaxValue).Min();
}

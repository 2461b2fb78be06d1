using Postrider.Broker.JetStream.Model;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>The rules of a stream in the plainest code: what the model test compares with.</summary>
internal sealed class ReferenceStream
{
    private const long Second = 1_000_000_000;

    private readonly Dictionary<string, (ulong Sequence, long Timestamp)> _ids = [];
    private readonly Dictionary<ulong, string> _idOf = [];
    private string _lastId = "";
    private long _perSubject = -1;

    public ReferenceStream(bool isFile) => Store = new ReferenceStore { IsFile = isFile };

    public ReferenceStore Store { get; }

    public long MaxMessages { get; set; } = -1;

    public long MaxBytes { get; set; } = -1;

    public long MaxPerSubject { get; set; } = -1;

    public long MaxAgeSeconds { get; set; }

    public long WindowSeconds { get; init; }

    public bool DiscardsNew { get; set; }

    public bool DiscardsNewPerSubject { get; set; }

    /// <summary>The configuration as the API takes it.</summary>
    public string Config(string storage)
        => $$"""
            {"name":"S","subjects":["s.>"],"storage":"{{storage}}","allow_msg_ttl":true,"allow_rollup_hdrs":true,"duplicate_window":{{WindowSeconds * Second}},
            "max_msgs":{{MaxMessages}},"max_bytes":{{MaxBytes}},"max_msgs_per_subject":{{MaxPerSubject}},"max_age":{{MaxAgeSeconds * Second}},
            "discard":"{{(DiscardsNew ? "new" : "old")}}","discard_new_per_subject":{{(DiscardsNewPerSubject ? "true" : "false")}}}
            """;

    /// <summary>Enforces the limits as they are now.</summary>
    public void Apply()
    {
        if (DiscardsNew && DiscardsNewPerSubject && MaxPerSubject > 0 && (_perSubject <= 0 || MaxPerSubject < _perSubject))
        {
            Store.Limits = new Postrider.Storage.StoreLimits(0, 0, MaxPerSubject);
            Store.Enforce();
        }
        _perSubject = MaxPerSubject;
        Store.Limits = new Postrider.Storage.StoreLimits(
            DiscardsNew ? 0 : Math.Max(MaxMessages, 0),
            DiscardsNew ? 0 : Math.Max(MaxBytes, 0),
            DiscardsNewPerSubject ? 0 : Math.Max(MaxPerSubject, 0));
        Store.Enforce();
    }

    /// <summary>Publishes; gives the sequence, the sequence of the message that was there, or the error's number.</summary>
    public string Publish(ReferencePublish publish, byte[] headers, long now)
    {
        var last = Store.Matching(publish.Subject).DefaultIfEmpty().Max();
        if (publish.ExpectedStream is not (null or "S")) return Error(ApiErrors.StreamNotMatch);
        if (publish.ExpectedLastSubjectSequence is { } ofSubject && ofSubject != last) return Error(ApiErrors.StreamWrongLastSequence);
        if (publish.ExpectedLastSequence is { } expected && expected != Store.Last) return Error(ApiErrors.StreamWrongLastSequence);
        ForgetIds(now);
        if (publish.Id is not null && _ids.TryGetValue(publish.Id, out var known)) return $"{known.Sequence} again";
        if (publish.ExpectedLastId is { } id && id != _lastId) return Error(ApiErrors.StreamWrongLastMsgID);
        var message = new ReferenceMessage(publish.Subject, headers, publish.Payload, now, publish.TimeToLive);
        if (DiscardsNew && IsFull(message, publish.Rollup)) return Error(ApiErrors.StreamStoreFailedF);
        Store.Append(message);
        _lastId = publish.Id ?? "";
        if (publish.Id is not null)
        {
            _ids[publish.Id] = (Store.Last, now);
            _idOf[Store.Last] = publish.Id;
        }
        if (publish.Rollup is not null) Store.Purge(publish.Rollup == "all" ? ">" : publish.Subject, 0, 1);
        return $"{Store.Last}";
    }

    /// <summary>The time has come to a moment.</summary>
    public void Expire(long now)
    {
        foreach (var (sequence, message) in Store.Messages.ToList())
        {
            var isOld = MaxAgeSeconds > 0 && message.Timestamp <= now - (MaxAgeSeconds * Second);
            if (isOld || (message.TimeToLive > 0 && message.Timestamp + (message.TimeToLive * Second) <= now)) Store.Remove(sequence);
        }
    }

    /// <summary>Takes messages out; gives how many.</summary>
    public long Purge(string? filter, ulong before, long keep)
        => (filter, before, keep) switch
        {
            (null, 0, 0) => Store.PurgeAll(Store.Last + 1),
            (null, > 0, _) => before == 1 ? 0 : Store.PurgeBefore(before),
            _ => before == 1 ? 0 : Store.Purge(filter ?? ">", before, keep),
        };

    /// <summary>The stream is read from the disk: what is known of ids is what its messages say.</summary>
    public void Restart(long now)
    {
        _ids.Clear();
        _lastId = "";
        foreach (var (sequence, message) in Store.Messages)
        {
            if (message.Timestamp < now - (WindowSeconds * Second) || !_idOf.TryGetValue(sequence, out var id)) continue;
            _ids.TryAdd(id, (sequence, message.Timestamp));
            if (sequence == Store.Last) _lastId = id;
        }
    }

    private bool IsFull(ReferenceMessage message, string? rollup)
    {
        var own = Store.Matching(message.Subject).ToList();
        var replacesOne = MaxPerSubject > 0 && own.Count >= MaxPerSubject;
        if (replacesOne && DiscardsNewPerSubject && rollup is null) return true;
        if (MaxMessages > 0 && Store.Messages.Count >= MaxMessages && !replacesOne) return true;
        var replaced = replacesOne && own.Count > 0 ? Store.Reported(Store.Messages[own[0]]) : 0;
        return MaxBytes > 0 && Store.Bytes + Store.Reported(message) > MaxBytes && (!replacesOne || replaced < Store.Reported(message));
    }

    private void ForgetIds(long now)
    {
        foreach (var (id, at) in _ids.ToList())
        {
            if (at.Timestamp + (WindowSeconds * Second) <= now) _ids.Remove(id);
        }
    }

    private static string Error(ApiError error) => $"error {error.ErrorCode}";
}

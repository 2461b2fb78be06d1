using System.CommandLine;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;

namespace Postrider.CommandLine.Verbs;

/// <summary>A bucket's configuration on the command line: given options replace values, the rest is kept.</summary>
internal sealed class KeyValueFlags
{
    private const int MaxHistory = 64;
    private static readonly TimeSpan LongestDuplicateWindow = TimeSpan.FromMinutes(2);

    private readonly Option<string?> _description = new("--description") { Description = "Description" };
    private readonly Option<int?> _history = new Option<int?>("--history") { Description = $"Number of values kept per key, 1 to {MaxHistory} (1)" }.Between(1, MaxHistory);
    private readonly Option<TimeSpan?> _timeToLive = JetStreamVerb.Time("--ttl", "How long values are kept");
    private readonly Option<TimeSpan?> _markers = JetStreamVerb.Time("--marker-ttl", "How long delete markers are kept; allows a time to live per key");
    private readonly Option<StreamStorage?> _storage = new Option<StreamStorage?>("--storage") { Description = "file or memory (file)" }.OneOf();
    private readonly Option<int?> _replicas = new Option<int?>("--replicas") { Description = "Number of replicas in a cluster (1)" }.AtLeast(1);
    private readonly Option<long?> _maxBytes = ByteSize.Create("--max-bytes", "Maximum number of bytes; -1 for no limit");
    private readonly Option<bool?> _compress = new("--compress") { Description = "Compress the files" };

    internal IEnumerable<Symbol> All => [_description, _history, _timeToLive, _markers, _storage, _replicas, _maxBytes, _compress];

    /// <summary>The configuration of a new bucket.</summary>
    internal KeyValueConfig Create(string bucket, JetStreamVerb.Call call) => new()
    {
        Bucket = bucket,
        Description = call.Get(_description),
        History = call.Get(_history) ?? 1,
        TimeToLive = call.Get(_timeToLive) ?? TimeSpan.Zero,
        LimitMarkerTimeToLive = call.Get(_markers) ?? TimeSpan.Zero,
        Storage = call.Get(_storage) ?? StreamStorage.File,
        Replicas = call.Get(_replicas) ?? 1,
        MaxBytes = call.Get(_maxBytes) ?? -1,
        Compression = call.Get(_compress) ?? false,
    };

    /// <summary>The configuration of a bucket's stream with the given options applied.</summary>
    internal StreamConfig Apply(StreamConfig stream, JetStreamVerb.Call call)
    {
        var changed = stream with
        {
            Description = call.Get(_description) ?? stream.Description,
            MaxMessagesPerSubject = call.Get(_history) ?? stream.MaxMessagesPerSubject,
            MaxAge = call.Get(_timeToLive) ?? stream.MaxAge,
            Storage = call.Get(_storage) ?? stream.Storage,
            Replicas = call.Get(_replicas) ?? stream.Replicas,
            MaxBytes = call.Get(_maxBytes) ?? stream.MaxBytes,
        };
        if (call.Get(_compress) is { } compress)
            changed.Compression = compress ? StreamCompression.S2 : StreamCompression.None;
        // Message ids must not be remembered longer than values are kept.
        if (call.Get(_timeToLive) is { } timeToLive)
            changed.DuplicateWindow = timeToLive > TimeSpan.Zero && timeToLive < LongestDuplicateWindow ? timeToLive : LongestDuplicateWindow;
        if (call.Get(_markers) is { } markers)
        {
            changed.SubjectDeleteMarkerTimeToLive = markers;
            // Once allowed, the time to live per key cannot be disabled again.
            changed.AllowMessageTimeToLive = stream.AllowMessageTimeToLive || markers > TimeSpan.Zero;
        }
        return changed;
    }

    /// <summary>Whether a change removes values that are currently stored.</summary>
    internal static bool Drops(StreamConfig before, StreamConfig after)
        => (after.MaxMessagesPerSubject > 0 && (before.MaxMessagesPerSubject <= 0 || after.MaxMessagesPerSubject < before.MaxMessagesPerSubject))
            || (after.MaxAge > TimeSpan.Zero && (before.MaxAge == TimeSpan.Zero || after.MaxAge < before.MaxAge));
}

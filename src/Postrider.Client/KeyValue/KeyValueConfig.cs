using Postrider.Client.JetStream.Models;

namespace Postrider.Client.KeyValue;

/// <summary>The configuration of a key-value bucket.</summary>
/// <remarks>Limits of -1 and durations of 0 mean unlimited. Source: NATS ADR-8.</remarks>
public sealed record KeyValueConfig
{
    private const int MaxHistory = 64;
    private static readonly TimeSpan MaxDuplicateWindow = TimeSpan.FromMinutes(2);

    /// <summary>The bucket's name: letters, digits, <c>-</c> and <c>_</c>.</summary>
    public required string Bucket { get; init; }

    /// <summary>A description.</summary>
    public string? Description { get; init; }

    /// <summary>Number of values that are kept per key, 1 to 64. Default 1.</summary>
    public int History { get; init; } = 1;

    /// <summary>How long a value is kept.</summary>
    public TimeSpan TimeToLive { get; init; }

    /// <summary>How long a marker records that a key has expired; more than 0 allows a time to live per key. Requires nats-server 2.11.</summary>
    public TimeSpan LimitMarkerTimeToLive { get; init; }

    /// <summary>Maximum size of a value in bytes.</summary>
    public int MaxValueBytes { get; init; } = -1;

    /// <summary>Maximum size of the bucket in bytes.</summary>
    public long MaxBytes { get; init; } = -1;

    /// <summary>The storage.</summary>
    public StreamStorage Storage { get; init; }

    /// <summary>The number of replicas in a cluster.</summary>
    public int Replicas { get; init; } = 1;

    /// <summary>Whether the files are compressed.</summary>
    public bool Compression { get; init; }

    /// <summary>Where in a cluster it is placed.</summary>
    public Placement? Placement { get; init; }

    /// <summary>Republishes changes.</summary>
    public Republish? Republish { get; init; }

    /// <summary>The bucket that this one mirrors; the name may be that of the bucket or of its stream.</summary>
    public StreamSource? Mirror { get; init; }

    /// <summary>Buckets that this one aggregates.</summary>
    public IReadOnlyList<StreamSource>? Sources { get; init; }

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    internal StreamConfig ToStream()
    {
        KeyNames.CheckBucket(Bucket);
        if (History is < 1 or > MaxHistory)
            throw new NatsClientException(NatsErrorCode.InvalidOption, $"KeyValueConfig.History {History} must be 1 to {MaxHistory}.");
        var stream = new StreamConfig
        {
            Name = KeyNames.Stream(Bucket),
            Description = Description,
            MaxMessagesPerSubject = History,
            MaxAge = TimeToLive,
            MaxBytes = MaxBytes,
            MaxMessageBytes = MaxValueBytes,
            Storage = Storage,
            Replicas = Replicas,
            Placement = Placement,
            Republish = Republish,
            Metadata = Metadata,
            Compression = Compression ? StreamCompression.S2 : StreamCompression.None,
            Discard = DiscardPolicy.New,
            DuplicateWindow = TimeToLive > TimeSpan.Zero && TimeToLive < MaxDuplicateWindow ? TimeToLive : MaxDuplicateWindow,
            AllowRollup = true,
            DenyDelete = true,
            AllowDirect = true,
            AllowMessageTimeToLive = LimitMarkerTimeToLive > TimeSpan.Zero,
            SubjectDeleteMarkerTimeToLive = LimitMarkerTimeToLive,
        };
        if (Mirror is not null)
        {
            stream.Mirror = Mirror with { Name = KeyNames.StreamOf(Mirror.Name) };
            stream.MirrorDirect = true;
            return stream;
        }
        stream.Subjects = [$"{KeyNames.Prefix(Bucket)}>"];
        stream.Sources = Sources?.Select(Gather).ToList();
        return stream;
    }

    // An aggregated key keeps its name and changes its bucket.
    private StreamSource Gather(StreamSource source)
    {
        var name = KeyNames.StreamOf(source.Name);
        if (source.SubjectTransforms is { Count: > 0 } || source.External is not null) return source with { Name = name };
        var transform = new SubjectTransform { Source = $"{KeyNames.Prefix(KeyNames.BucketOf(name))}>", Destination = $"{KeyNames.Prefix(Bucket)}>" };
        return source with { Name = name, SubjectTransforms = [transform] };
    }
}

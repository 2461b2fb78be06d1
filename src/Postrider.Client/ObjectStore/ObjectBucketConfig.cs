using Postrider.Client.JetStream.Models;

namespace Postrider.Client.ObjectStore;

/// <summary>The configuration of an object bucket.</summary>
/// <remarks>Source: NATS ADR-20.</remarks>
public sealed record ObjectBucketConfig
{
    /// <summary>The bucket's name: letters, digits, <c>-</c> and <c>_</c>.</summary>
    public required string Bucket { get; init; }

    /// <summary>A description.</summary>
    public string? Description { get; init; }

    /// <summary>How long an object is kept; 0 for no limit.</summary>
    public TimeSpan TimeToLive { get; init; }

    /// <summary>Maximum size of the bucket in bytes; -1 for no limit.</summary>
    public long MaxBytes { get; init; } = -1;

    /// <summary>The storage.</summary>
    public StreamStorage Storage { get; init; }

    /// <summary>The number of replicas in a cluster.</summary>
    public int Replicas { get; init; } = 1;

    /// <summary>Whether the files are compressed.</summary>
    public bool Compression { get; init; }

    /// <summary>Where in a cluster it is placed.</summary>
    public Placement? Placement { get; init; }

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    internal StreamConfig ToStream()
    {
        ObjectNames.CheckBucket(Bucket);
        return new StreamConfig
        {
            Name = ObjectNames.Stream(Bucket),
            Description = Description,
            Subjects = [ObjectNames.Chunks(Bucket, ">"), ObjectNames.AllMeta(Bucket)],
            MaxAge = TimeToLive,
            MaxBytes = MaxBytes,
            Storage = Storage,
            Replicas = Replicas,
            Placement = Placement,
            Compression = Compression ? StreamCompression.S2 : StreamCompression.None,
            Discard = DiscardPolicy.New,
            AllowRollup = true,
            AllowDirect = true,
            Metadata = Metadata,
        };
    }
}

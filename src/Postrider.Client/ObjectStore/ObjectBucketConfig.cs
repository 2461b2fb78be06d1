using Postrider.Client.JetStream.Models;

namespace Postrider.Client.ObjectStore;

/// <summary>What an object bucket keeps.</summary>
/// <remarks>Source: NATS ADR-20.</remarks>
public sealed record ObjectBucketConfig
{
    /// <summary>The bucket's name: letters, digits, <c>-</c> and <c>_</c>.</summary>
    public required string Bucket { get; init; }

    /// <summary>What it is for.</summary>
    public string? Description { get; init; }

    /// <summary>How long an object is kept; 0 for ever.</summary>
    public TimeSpan TimeToLive { get; init; }

    /// <summary>The most bytes of the bucket; -1 for no limit.</summary>
    public long MaxBytes { get; init; } = -1;

    /// <summary>Where it is kept.</summary>
    public StreamStorage Storage { get; init; }

    /// <summary>On how many servers of a cluster it lives.</summary>
    public int Replicas { get; init; } = 1;

    /// <summary>Whether its files are compressed.</summary>
    public bool Compression { get; init; }

    /// <summary>Where in a cluster it is to live.</summary>
    public Placement? Placement { get; init; }

    /// <summary>Names and values of the owner's own.</summary>
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

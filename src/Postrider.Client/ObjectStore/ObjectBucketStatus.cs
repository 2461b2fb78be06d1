using Postrider.Client.JetStream.Models;

namespace Postrider.Client.ObjectStore;

/// <summary>What is in an object bucket, and how it keeps it.</summary>
/// <param name="Bucket">Its name.</param>
/// <param name="Stream">The stream that holds it.</param>
public sealed record ObjectBucketStatus(string Bucket, StreamInfo Stream)
{
    /// <summary>What it is for.</summary>
    public string? Description => Stream.Config.Description;

    /// <summary>How long an object is kept; 0 for ever.</summary>
    public TimeSpan TimeToLive => Stream.Config.MaxAge;

    /// <summary>Bytes, with what the store adds.</summary>
    public ulong Bytes => Stream.State.Bytes;

    /// <summary>Whether nothing can be changed any more.</summary>
    public bool IsSealed => Stream.Config.Sealed;

    /// <summary>Whether its files are compressed.</summary>
    public bool IsCompressed => Stream.Config.Compression != StreamCompression.None;
}

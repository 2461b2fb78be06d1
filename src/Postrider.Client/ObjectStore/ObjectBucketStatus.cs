using Postrider.Client.JetStream.Models;

namespace Postrider.Client.ObjectStore;

/// <summary>The state of an object bucket.</summary>
/// <param name="Bucket">Its name.</param>
/// <param name="Stream">The stream that holds it.</param>
public sealed record ObjectBucketStatus(string Bucket, StreamInfo Stream)
{
    /// <summary>A description.</summary>
    public string? Description => Stream.Config.Description;

    /// <summary>How long an object is kept; 0 for no limit.</summary>
    public TimeSpan TimeToLive => Stream.Config.MaxAge;

    /// <summary>The size in bytes, including the overhead of the store.</summary>
    public ulong Bytes => Stream.State.Bytes;

    /// <summary>Whether the bucket is sealed.</summary>
    public bool IsSealed => Stream.Config.Sealed;

    /// <summary>Whether the files are compressed.</summary>
    public bool IsCompressed => Stream.Config.Compression != StreamCompression.None;
}

using Postrider.Client.JetStream.Models;

namespace Postrider.Client.KeyValue;

/// <summary>The state of a key-value bucket.</summary>
/// <param name="Bucket">Its name.</param>
/// <param name="Stream">The stream that holds it.</param>
public sealed record KeyValueStatus(string Bucket, StreamInfo Stream)
{
    /// <summary>Number of values, including history and markers.</summary>
    public ulong Values => Stream.State.Messages;

    /// <summary>The size in bytes, including the overhead of the store.</summary>
    public ulong Bytes => Stream.State.Bytes;

    /// <summary>Number of values that are kept per key.</summary>
    public long History => Stream.Config.MaxMessagesPerSubject;

    /// <summary>How long a value is kept; 0 for no limit.</summary>
    public TimeSpan TimeToLive => Stream.Config.MaxAge;

    /// <summary>How long a marker records that a key has expired; 0 for no markers.</summary>
    public TimeSpan LimitMarkerTimeToLive => Stream.Config.SubjectDeleteMarkerTimeToLive;

    /// <summary>Whether the files are compressed.</summary>
    public bool IsCompressed => Stream.Config.Compression != StreamCompression.None;
}

using Postrider.Client.JetStream.Models;

namespace Postrider.Client.KeyValue;

/// <summary>What is in a bucket, and how it keeps it.</summary>
/// <param name="Bucket">Its name.</param>
/// <param name="Stream">The stream that holds it.</param>
public sealed record KeyValueStatus(string Bucket, StreamInfo Stream)
{
    /// <summary>Values, history and markers included.</summary>
    public ulong Values => Stream.State.Messages;

    /// <summary>Bytes, with what the store adds.</summary>
    public ulong Bytes => Stream.State.Bytes;

    /// <summary>How many values of a key are kept.</summary>
    public long History => Stream.Config.MaxMessagesPerSubject;

    /// <summary>How long a value is kept; 0 for ever.</summary>
    public TimeSpan TimeToLive => Stream.Config.MaxAge;

    /// <summary>How long a marker tells that a key's time ran out; 0 for no markers.</summary>
    public TimeSpan LimitMarkerTimeToLive => Stream.Config.SubjectDeleteMarkerTimeToLive;

    /// <summary>Whether its files are compressed.</summary>
    public bool IsCompressed => Stream.Config.Compression != StreamCompression.None;
}

using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Copies messages of one stream into another: for a mirror as they are, for a source with where they came from.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface ISourceFollower
{
    /// <summary>What its source asks for; two followers of a stream never ask for the same.</summary>
    string Key { get; }

    /// <summary>How far it is.</summary>
    StreamSourceInfo Info();

    /// <summary>Begins to follow, unless it does; where the origin is not there yet, once it is. Not locked.</summary>
    void Start(SendBatch batch);

    /// <summary>Follows no more. Not locked.</summary>
    /// <param name="isRemoved">Whether the stream or its source is gone for good; else the server stops.</param>
    void Stop(bool isRemoved);

    /// <summary>Answers for an exception of <see cref="Start"/>.</summary>
    void OnFailed(Exception error);
}

using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Copies messages from one stream to another: unchanged for a mirror, with a header about their origin for a source.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface ISourceFollower
{
    /// <summary>The key of its source; two followers of a stream never have the same.</summary>
    string Key { get; }

    /// <summary>Its progress.</summary>
    StreamSourceInfo Info();

    /// <summary>Starts to follow, unless it is started; if the origin does not exist yet, once it does. Not locked.</summary>
    void Start(SendBatch batch);

    /// <summary>Stops following. Not locked.</summary>
    /// <param name="isRemoved">Whether the stream or its source was removed for good; else the server stops.</param>
    void Stop(bool isRemoved);

    /// <summary>Handles an exception of <see cref="Start"/>.</summary>
    void OnFailed(Exception error);
}

using Postrider.Wire.Sockets;

namespace Postrider.Broker.Streams;

/// <summary>The half of JetStream that serves consumers.</summary>
internal interface IConsumerEngine
{
    /// <summary>Adds the operations on consumers to an account's API.</summary>
    void Register(ApiTable api);

    /// <summary>Opens the consumers of a stream that was read from the disk, before it takes messages.</summary>
    void Recover(MessageStream stream, SendBatch batch);
}

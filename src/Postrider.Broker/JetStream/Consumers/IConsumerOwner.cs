using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>The part of the consumer registry that a <see cref="Consumer"/> calls.</summary>
internal interface IConsumerOwner
{
    /// <summary>The consumer queued work on the thread pool.</summary>
    void OnWorkScheduled();

    /// <summary>Work on the thread pool ended.</summary>
    void OnWorkCompleted();

    /// <summary>Deletes a consumer.</summary>
    /// <returns>False when it was deleted before.</returns>
    bool Delete(Consumer consumer, SendBatch batch);

    /// <summary>Removes a consumer whose stream was closed.</summary>
    void Remove(Consumer consumer, bool deleted);
}

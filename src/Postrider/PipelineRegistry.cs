namespace Postrider;

/// <summary>The pipelines of one container, by type id and by type; filled as messages are used for the first time.</summary>
/// <remarks>Thread-safe.</remarks>
public abstract class PipelineRegistry
{
    private readonly Lock _writing = new(); // guards replacing and filling _items

    // Pipelines of registered types by MessageTypeId<T>.Value. An element is null until its first use.
    internal Pipeline?[] Items = [];

    internal TypeTable ByType { get; } = new();

    /// <summary>Finds or composes the pipeline of a type.</summary>
    /// <param name="messageType">The type of a message.</param>
    /// <returns>The pipeline, or null if there is no handler.</returns>
    protected abstract Pipeline? Resolve(Type messageType);

    /// <summary>Queues a message for the background worker.</summary>
    /// <param name="pipeline">The pipeline of the message's type.</param>
    /// <param name="message">The message.</param>
    /// <param name="origin">The origin of the call; its scope is not kept.</param>
    /// <param name="ct">Cancels the wait for room.</param>
    /// <returns>Completes when the message is in the queue.</returns>
    protected internal abstract ValueTask Post(Pipeline pipeline, object message, CallOrigin? origin, CancellationToken ct);

    /// <summary>The clock of the container.</summary>
    internal virtual TimeProvider Clock => TimeProvider.System;

    /// <summary>Sends a routed message that its transport delivers after a delay.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the type has no route, or its transport cannot
    /// delay messages.</exception>
    internal virtual ValueTask SendLater(object message, TimeSpan delay, CallOrigin? origin, CancellationToken ct)
        => throw new PostriderException(PostriderError.Configuration, $"{message.GetType()} is not routed, so it cannot be sent later.");

    /// <summary>Creates the exception for a message without a handler.</summary>
    /// <param name="messageType">The type of the message.</param>
    /// <returns>An exception whose message lists where a handler was searched for.</returns>
    protected internal abstract PostriderException NoHandler(Type messageType);

    internal Pipeline? Find(Type messageType)
    {
        var found = ByType.Find(messageType);
        if (found is not null)
            return found;

        var resolved = Resolve(messageType);
        if (resolved is not null)
            ByType.Add(messageType, resolved);
        return resolved is null ? null : ByType.Find(messageType);
    }

    internal void Fill(int typeId, Pipeline pipeline)
    {
        lock (_writing)
        {
            if (typeId >= Items.Length)
            {
                var grown = new Pipeline?[Math.Max(typeId + 1, Math.Max(16, Items.Length * 2))];
                Items.CopyTo(grown, 0);
                grown[typeId] = pipeline;
                Volatile.Write(ref Items, grown);
                return;
            }

            Volatile.Write(ref Items[typeId], pipeline);
        }
    }
}

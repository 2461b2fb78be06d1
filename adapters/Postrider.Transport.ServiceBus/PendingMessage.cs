using Amqp;

namespace Postrider.Transport.ServiceBus;

/// <summary>A message that waits to be sent in a transfer.</summary>
internal sealed class PendingMessage(Message message)
{
    private readonly TaskCompletionSource _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal Message Message => message;

    /// <summary>The message as it travels in a batch.</summary>
    internal ByteBuffer Encoded { get; } = message.Encode();

    internal int Bytes => Encoded.Length;

    /// <summary>The session of the message; only those of one travel in a batch.</summary>
    internal string? Session => message.Properties?.GroupId;

    internal Task Outcome => _outcome.Task;

    internal void Complete() => _outcome.TrySetResult();

    internal void Fail(Exception failure) => _outcome.TrySetException(failure);
}
